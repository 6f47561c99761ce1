/** Starts and stops the service. What it answers is decided in lib/app.ts. */
import http from 'node:http';
import { createApp } from './lib/app.ts';
import { commandFor, ExpectedError, readSettings, SettingsError } from './lib/config.ts';
import { answerRequests } from './lib/http/listener.ts';
import { securityHeaders } from './lib/http/security-headers.ts';
import { LOST_SITE, loadSite, type Site, siteFolder } from './lib/site/site.ts';
import { refuseRoot } from './lib/store/access.ts';
import { openServerStore, storeFile } from './lib/store/open.ts';
import { visible } from './lib/visible.ts';

const LIMITS: http.ServerOptions = {
  maxHeaderSize: 16 * 1024,
  // Times in ms. A stop also waits for requests as long as `requestTimeout`.
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than a proxy's (usually 60 s), so that no proxy sends into a closing connection.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
};

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

function start(): void {
  // First, because SIGHUP without a listener ends the process.
  process.on('SIGHUP', () => reload());
  // A log that cannot be written does not stop the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const settings = readSettings(process.env);
  const { production } = settings;
  let { publicOrigin } = settings;
  refuseRoot(storeFile);
  const load = () => loadSite(siteFolder(), publicOrigin);
  const site = load();
  const store = openServerStore();
  store.countNew();
  const app = createApp(store, settings);
  const show = (site: Site) => {
    app.replaceSite(site);
    for (const warning of site.warnings) console.error(visible(warning));
    if (production && site.isSample && store.invites.hasGuests()) console.error(LOST_SITE);
  };
  show(site);

  const server = http.createServer(LIMITS);
  // The longest idle time of a connection during a reply.
  server.setTimeout(30_000);
  const stopAnswering = answerRequests(server, app.handle, securityHeaders(production));
  listen(server, settings.port, (origin) => {
    if (settings.port === 0 && !process.env.PUBLIC_ORIGIN) {
      publicOrigin = `http://localhost:${new URL(origin).port}`;
      app.replaceSite(load());
    }
    if (production && !process.env.PUBLIC_ORIGIN)
      console.error(
        `PUBLIC_ORIGIN is not set, so letters link to ${publicOrigin}; set it, and restart`,
      );
    // For example EMFILE: only this connection is lost.
    server.on('error', (error) => console.error(`accepting a connection: ${error.message}`));
    console.log(`listening on ${origin}`);
    if (store.invites.isEmpty()) {
      console.log(`Nobody is invited yet: ${commandFor('invite add you@example.com')}`);
    }
  });

  const reload = () => {
    try {
      const site = load();
      show(site);
      console.log(`the site was reloaded from ${site.folder}`);
    } catch (error) {
      for (const mistake of (error as Error).message.split('\n'))
        console.error(`the site was not reloaded: ${mistake}`);
    }
  };
  // Each minute, counts what is new, so that an administrator waits for little, and deletes expired
  // sessions, so few that the commit is short.
  const sweep = setInterval(() => {
    store.countNew();
    const swept = store.write(({ sessions }) => sessions.sweep(Date.now(), 1000));
    swept.catch((error) => console.error(error.message));
  }, 60_000);
  const stop = () => {
    clearInterval(sweep);
    stopAnswering(() => store.close());
    for (const signal of SIGNALS) process.once(signal, () => process.exit(1));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
}

/** Listens on the socket that systemd hands over as sd_listen_fds(3) describes, else on `port`. */
function listen(server: http.Server, port: number, done: (origin: string) => void): void {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  const isHandedOver = LISTEN_PID === String(process.pid) && LISTEN_FDS !== undefined;
  if (isHandedOver && LISTEN_FDS !== '1')
    exit(`systemd hands over ${LISTEN_FDS} sockets; guestlist.socket may have one ListenStream`, 1);
  const noSocket = 'file descriptor 3 is not a listening TCP socket; LISTEN_FDS says that it is';
  server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    const inUse = `port ${port} is in use; set PORT to another`;
    exit(isHandedOver ? noSocket : code === 'EADDRINUSE' ? inUse : message, 1);
  });
  // Many connections may wait in the kernel, for example during a restart under systemd.
  const backlog = 4096;
  // Without systemd, only the reverse proxy on this machine can connect.
  server.listen(isHandedOver ? { fd: 3 } : { port, host: '127.0.0.1' }, backlog, () => {
    server.removeAllListeners('error');
    const bound = server.address();
    if (!bound || typeof bound === 'string') exit(noSocket, 1);
    const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
    done(`http://${host}:${bound.port}`);
  });
}

function exit(message: string, status: number): never {
  console.error(message);
  process.exit(status);
}

try {
  start();
} catch (error) {
  if (error instanceof SettingsError) exit(error.message, 2);
  if (error instanceof ExpectedError) exit(error.message, 1);
  throw error;
}
