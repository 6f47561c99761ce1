/**
 * The administrator page. Its header names the person who reads it, and its lists name
 * administrators.
 */
import { readableEmail } from '../addresses/normalize.ts';
import { htmlPage } from '../http/reply.ts';
import type { Handler } from '../http/request.ts';
import type { Site } from '../site/site.ts';
import type { ServerStore } from '../store/open.ts';
import type { VisitorContext } from './guards.ts';

export function svcopsPage(store: ServerStore, pages: Site['pages']): Handler<VisitorContext> {
  const firstNameOf = (email: string) => store.invites.find(email)?.firstName ?? null;

  return ({ visitor: { email } }) => {
    const names: Record<string, string> = {};
    for (const admin of store.invites.admins()) {
      const firstName = firstNameOf(admin);
      if (firstName !== null) names[admin] = firstName;
    }
    const name = firstNameOf(email) ?? readableEmail(email);
    return htmlPage(pages.svcops({ email, name, names: JSON.stringify(names) }));
  };
}
