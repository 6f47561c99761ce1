/** Starts and stops the service; nothing else. */
import http from 'node:http';
import { app } from './lib/app.ts';
import { readSettings, SettingsError } from './lib/config.ts';
import { gracefulStop } from './lib/http/graceful-stop.ts';
import { listener, refuse } from './lib/http/listener.ts';
import { securityHeaders } from './lib/http/security-headers.ts';
import { ContentError } from './lib/site/content.ts';
import { loadPages } from './lib/site/render.ts';
import { StoreError } from './lib/store/errors.ts';
import { openServerStore, type ServerStore } from './lib/store/open.ts';

/** Reached by the reverse proxy on this machine only. */
const HOST = '127.0.0.1';

const LIMITS: http.ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than proxies keep theirs (60 s as a rule), so that a proxy never sends into a connection that is closing.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
  // The listener refuses these itself, with the headers of every reply.
  requireHostHeader: false,
};

/** After this long without a byte moving, a connection with a reply under way is dropped, in ms. */
const STALLED = 30_000;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Expired sessions are deleted this often, in ms, so many at a time. */
const SWEEP = { interval: 60_000, limit: 1000 };

function start(): void {
  // A log that nobody reads any more, or whose disk is full, is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const settings = readSettings(process.env);
  const pages = loadPages(settings.publicOrigin);
  for (const warning of pages.warnings) console.error(warning);
  const store = openServerStore();
  const everyReply = securityHeaders(settings.production);

  const server = http.createServer(LIMITS);
  server.setTimeout(STALLED);
  server.on('clientError', refuse(everyReply));
  server.once('error', (error: NodeJS.ErrnoException) => {
    exit(
      error.code === 'EADDRINUSE'
        ? `port ${settings.port} is in use; set PORT to another`
        : error.message,
      1,
    );
  });
  server.listen(settings.port, HOST, () => {
    server.removeAllListeners('error');
    // Too many open files, say: this connection is lost, the next may not be.
    server.on('error', (error) => console.error(`accepting a connection: ${error.message}`));
    const port = (server.address() as { port: number }).port;
    console.log(`listening on http://${HOST}:${port}`);
    if (store.totals.counts().invites === 0) {
      console.log('nobody is invited yet; add the first: node tools/invite.js add <email>');
    }
  });
  const answer = listener(app({ settings, store, pages }), everyReply);
  server.on('request', answer);
  // An expectation that we do not know is one that we need not meet (RFC 9110 10.1.1).
  server.on('checkExpectation', answer);

  const stopServer = gracefulStop(server);
  const sweep = setInterval(() => sweepSessions(store), SWEEP.interval);
  const stop = () => {
    clearInterval(sweep);
    stopServer(() => store.close());
    for (const signal of SIGNALS) process.once(signal, () => process.exit(1));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
}

function sweepSessions(store: ServerStore): void {
  store
    .write(({ sessions }) => sessions.sweep(Date.now(), SWEEP.limit))
    .catch((error) => console.error(error.message));
}

function exit(message: string, status: number): never {
  console.error(message);
  process.exit(status);
}

try {
  start();
} catch (error) {
  if (error instanceof SettingsError) exit(error.message, 2);
  if (error instanceof ContentError) exit(error.message, 1);
  if (error instanceof StoreError) exit(error.message, 1);
  throw error;
}
