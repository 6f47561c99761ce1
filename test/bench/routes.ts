/** Calls the handler of the server, and measures time and rows of each administrator route. */
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { createApp } from '../../lib/app.ts';
import { loadSite, SAMPLE } from '../../lib/site/site.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';

/** The requests of the page: 100 rows of a list, and 50 of one person. */
export const ROUTES = [
  'stats',
  'invites?limit=100',
  'invites?limit=100&sort=email&order=asc',
  'invites?limit=100&sort=firstName&order=asc',
  'invites?limit=100&sort=invitedBy&order=asc',
  'invites?limit=100&sort=status&order=desc',
  'invites?limit=100&sort=logins&order=desc',
  'invites?limit=100&sort=timelineViews&order=desc',
  'invites?limit=100&sort=timelineViews&order=asc',
  'invites?limit=100&sort=joinClicks&order=desc',
  'invites?limit=100&sort=lastSeenAt&order=desc',
  'invites?limit=100&sort=lastSeenAt&order=asc',
  'invites?limit=100&status=not_come&sort=lastSeenAt',
  'invites?limit=100&q=zoe',
  'invites?limit=100&q=zo&sort=timelineViews&order=desc',
  'invites?limit=100&q=grace7@example.com',
  'invites?limit=100&q=gr&status=joined&sort=logins',
  'joins?limit=100',
  'joins?limit=100&of=summary',
  'joins?limit=100&of=clicks',
  'joins?limit=50&of=clicks&email=grace7@example.com',
  'events?limit=100',
  'events?limit=100&type=login',
  'events?limit=50&email=zoe1@example.com',
  'events?limit=50&type=timeline_view&email=zoe1@example.com',
  'person?email=zoe1@example.com',
] as const;

export type Measurement = { readonly times: number[]; rows: number };

const WARM_UP = 5;
const RUNS = 31;

/** Times in ms of each route on a store, and the rows read in one run. */
export async function measureRoutes(
  file: string,
  administrator: string,
): Promise<ReadonlyMap<string, Measurement>> {
  const counter = countRows();
  const store = openServerStore(file);
  const publicOrigin = 'http://localhost:3000';
  const settings = { port: 3000, publicOrigin, production: false };
  const { handle, use } = createApp(store, settings);
  use(loadSite(SAMPLE, publicOrigin));
  const tool = openStore(file);
  const { id, token } = tool.transaction(({ sessions }) =>
    sessions.begin(administrator, Date.now()),
  );
  tool.close();
  const headers = { cookie: `svc_session=${token}` };
  const results = new Map<string, Measurement>();
  for (const route of ROUTES) {
    const [path = '', query = ''] = `/api/svcops/${route}`.split('?');
    const measurement: Measurement = { times: [], rows: 0 };
    for (let run = 0; run < WARM_UP + RUNS; run++) {
      const body = Readable.from([]);
      counter.rows = 0;
      const start = performance.now();
      const reply = await handle({ method: 'GET', path, query, headers, peer: '127.0.0.1', body });
      if (run >= WARM_UP) measurement.times.push(performance.now() - start);
      if (reply.status !== 200) throw new Error(`${route}: ${reply.status} ${reply.body}`);
      measurement.rows = counter.rows;
    }
    results.set(route, measurement);
  }
  await store.write(({ sessions }) => sessions.end(id));
  await store.close();
  counter.stop();
  return results;
}

/** Counts the rows that statements return from now on. */
function countRows() {
  const prepare: (this: Database.Database, sql: string) => Database.Statement<unknown[]> =
    Database.prototype.prepare;
  const counter = {
    rows: 0,
    stop: () => {
      Database.prototype.prepare = prepare as typeof Database.prototype.prepare;
    },
  };
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const { all, get } = statement;
    statement.all = (...parameters: unknown[]) => {
      const rows = all.apply(statement, parameters);
      counter.rows += rows.length;
      return rows;
    };
    statement.get = (...parameters: unknown[]) => {
      const row = get.apply(statement, parameters);
      if (row !== undefined) counter.rows += 1;
      return row;
    };
    return statement;
  } as typeof Database.prototype.prepare;
  return counter;
}
