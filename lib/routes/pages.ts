/** The pages of guests, and the links to the first of them. */
import { decodePercent, linkTo, readEmail } from '../addresses.ts';
import { htmlReply, type Reply, redirect } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { escapeHtml } from '../site/template.ts';
import { hasJoined } from '../store/joins.ts';
import type { Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';
import type { VisitorHandler } from './guards.ts';

/** Makes a page say whose it is, so that its script need not ask. */
export function ownPage(db: Database, html: string): VisitorHandler {
  // There is one `<body`, because what the owner writes is escaped.
  const [before = '', after = ''] = html.split('<body');
  const start = Buffer.from(`${before}<body`);
  const end = Buffer.from(after);
  return (_request, visitor) => {
    const owner = Buffer.from(describeOwner(visitor, hasJoined(db, visitor.email)));
    return htmlReply(Buffer.concat([start, owner, end]));
  };
}

/** The attributes of `<body>`. */
function describeOwner({ email, firstName }: Visitor, joined: boolean): string {
  const name = firstName === null ? '' : ` data-first-name="${escapeHtml(firstName)}"`;
  return ` data-email="${escapeHtml(email)}"${name}${joined ? ' data-joined' : ''}`;
}

/** Mail filters, PDF viewers and spreadsheets write the `#` of an invitation's link as `%23`. */
export function openLink({ path }: Request): Reply {
  const email = readEmail(decodePercent(path.slice('/%23'.length)));
  return redirect(email === undefined ? '/' : linkTo('', email));
}
