/** Starts and stops the service. `lib/app.ts` has its URLs. */
import { createApp } from './lib/app.ts';
import { toolCommand } from './lib/commands.ts';
import {
  ExpectedError,
  failWith,
  isExpected,
  isProduction,
  readSettings,
  UsageError,
} from './lib/config.ts';
import { createServer, type HttpServer } from './lib/http/server.ts';
import { loadSite, type Site, siteFolder } from './lib/site/site.ts';
import { isNobodyInvited } from './lib/store/invites.ts';
import { openStore } from './lib/store/open.ts';
import type { Database } from './lib/store/sqlite.ts';
import { createTurns } from './lib/turns.ts';

function start(): void {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new UsageError(`the server takes no arguments, but ${argument} was given`);
  const { port, publicOrigin } = readSettings();
  const site = loadOwnersSite(publicOrigin);
  for (const warning of [...warnOfCookie(publicOrigin), ...site.warnings])
    console.error(`warning: ${warning}`);
  const db = openStore();
  const { routes, unknown } = createApp(db, site, publicOrigin);
  const take = createTurns(db, routes, unknown);
  const http = createServer(take);
  listen(http, port, (bound) => console.log(describeStart(db, publicOrigin, bound)));
  stopOnSignal(http, db);
}

/** A mistake in it stays until its owner corrects it. @throws {UsageError} */
function loadOwnersSite(publicOrigin: string): Site {
  try {
    return loadSite(siteFolder(), publicOrigin);
  } catch (error) {
    throw isExpected(error) ? new UsageError(error.message) : error;
  }
}

function warnOfCookie(publicOrigin: string): readonly string[] {
  if (isProduction || !publicOrigin.startsWith('https:')) return [];
  // An environment file of systemd has no comments beside values.
  const mode = JSON.stringify(process.env.NODE_ENV ?? '');
  return [`NODE_ENV is ${mode} and not production, so the session cookie is not Secure`];
}

function describeStart(db: Database, publicOrigin: string, bound: number): string {
  // `http://localhost:0`, if any free port will do.
  const origin = publicOrigin.replace(/:0$/, `:${bound}`);
  const lines = [`listening on http://127.0.0.1:${bound}`, `open ${origin}`];
  if (isNobodyInvited(db))
    lines.push(`nobody is invited yet: ${toolCommand('invite', 'add', 'ada@example.com')}`);
  return lines.join('\n');
}

/**
 * Only this machine can connect: the reverse proxy, which terminates TLS.
 *
 * @param done gets the port that was bound
 */
function listen({ server }: HttpServer, port: number, done: (bound: number) => void): void {
  server.once('error', (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    failWith(
      isTaken ? new ExpectedError(`port ${port} is in use; set PORT to another one`) : error,
    );
  });
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    done(typeof address === 'object' ? (address?.port ?? port) : port);
  });
}

/** The first signal stops the service, a second one ends it at once. */
function stopOnSignal({ stop }: HttpServer, db: Database): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      stop(() => {
        db.close();
        process.exit();
      });
    });
}

try {
  start();
} catch (error) {
  failWith(error);
}
