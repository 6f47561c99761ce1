/** Starts and stops the service. `lib/app.ts` has its URLs. */
import { createApp } from './lib/app.ts';
import { ExpectedError, failWith, readSettings, UsageError } from './lib/config.ts';
import { createServer, type HttpServer } from './lib/http/server.ts';
import { loadSite, siteFolder } from './lib/site/site.ts';
import { openStore } from './lib/store/open.ts';
import type { Database } from './lib/store/sqlite.ts';
import { createTurns } from './lib/turns.ts';

function start(): void {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new UsageError(`the server takes no arguments, but ${argument} was given`);
  const { port, publicOrigin } = readSettings();
  const site = loadSite(siteFolder(), publicOrigin);
  for (const warning of site.warnings) console.error(`warning: ${warning}`);
  const db = openStore();
  const { routes, unknown } = createApp(db, site, publicOrigin);
  const take = createTurns(db, routes, unknown);
  const http = createServer(take);
  listen(http, port);
  stopOnSignal(http, db);
}

/** Only this machine can connect: the reverse proxy, which terminates TLS. */
function listen({ server }: HttpServer, port: number): void {
  server.once('error', (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    failWith(
      isTaken ? new ExpectedError(`port ${port} is in use; set PORT to another one`) : error,
    );
  });
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    const bound = typeof address === 'object' ? address?.port : port;
    console.log(`listening on http://127.0.0.1:${bound}`);
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
