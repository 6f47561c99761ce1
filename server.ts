/** Starts and stops the service. lib/app.ts decides the replies. */
import http from 'node:http';
import tty from 'node:tty';
import { createApp } from './lib/app.ts';
import {
  commandFor,
  dataFolder,
  ExpectedError,
  installationName,
  readSettings,
  SettingsError,
} from './lib/config.ts';
import { examineFiles } from './lib/extras/file-checks/examine-files.ts'; // extra: file-checks
import { answerRequests } from './lib/http/listener.ts';
import { securityHeaders } from './lib/http/security-headers.ts';
import {
  LOST_SITE,
  loadSite,
  OWN_SITE,
  type Site,
  showWarning,
  siteFolder,
} from './lib/site/site.ts';
import { refuseRoot } from './lib/store/access.ts';
import { messageOf } from './lib/store/errors.ts';
import { openServerStore } from './lib/store/open.ts';
import { storeFile } from './lib/store/store-file.ts';

const LIMITS: http.ServerOptions = {
  maxHeaderSize: 16 * 1024,
  // Times in ms. A stop also waits for requests as long as `requestTimeout`.
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than the idle time of a proxy (usually 60 s), so no proxy sends into a closing
  // connection.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
};

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Which of stdin and stdout are terminals at the start. */
const TERMINALS = [0, 1].filter((stream) => tty.isatty(stream));

/** The disk with the site may be missing for a moment. */
const VANISHED_SITE = `${OWN_SITE} is missing; put it back (a restart would show the sample)`;

/** In ms. */
const SWEEP_INTERVAL = 60_000;

/** The most sessions that one sweep deletes, so that its commit is short. */
const MAX_SWEPT = 1000;

/** The longest idle time of a connection during a reply, in ms. */
const IDLE_TIMEOUT = 30_000;

/** How many connections wait in the kernel, for example during a restart under systemd. */
const BACKLOG = 4096;

/** The number of the descriptor that systemd hands over (`sd_listen_fds(3)`). */
const SYSTEMD_SOCKET = 3;

function start(): void {
  // Done first, because without a listener SIGHUP ends the process.
  process.on('SIGHUP', stopOrReload);
  // The service goes on if the log cannot be written.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);

  const settings = readSettings(process.env);
  const { port, production } = settings;
  /** The address in links and letters. */
  let publicOrigin = settings.publicOrigin;
  let isStopping = false;
  refuseRoot(storeFile);
  let site = readSite();
  const store = openServerStore();
  store.countNew();
  const app = createApp(store, settings);
  showSite();

  const server = http.createServer(LIMITS);
  server.setTimeout(IDLE_TIMEOUT);
  const stopAnswering = answerRequests(server, app.handle, securityHeaders(production));
  listen(server, port, announce);
  const sweeping = setInterval(sweep, SWEEP_INTERVAL);
  for (const signal of STOP_SIGNALS) process.once(signal, stop);

  function readSite(): Site {
    return loadSite(
      siteFolder(),
      publicOrigin,
      'start',
      examineFiles, // extra: file-checks
    );
  }

  function showSite(): void {
    app.replaceSite(site);
    for (const warning of site.warnings) console.error(showWarning(warning));
    const isLost = production && site.isSample && askStore(() => store.invites.hasGuests());
    if (isLost) console.error(LOST_SITE);
  }

  /**
   * SIGHUP reloads the site. It also comes when the terminal closes. Then the service stops.
   */
  function stopOrReload(): void {
    if (isStopping) return;
    const isTerminalClosed = TERMINALS.some((stream) => !tty.isatty(stream));
    if (isTerminalClosed) stop();
    else reloadSite();
  }

  /** If the new site is missing or has a mistake, the old one stays. */
  function reloadSite(): void {
    try {
      const next = readSite();
      if (next.isSample && !site.isSample) throw new ExpectedError(VANISHED_SITE);
      site = next;
      showSite();
      console.log(`the site was reloaded from ${site.folder}`);
    } catch (error) {
      for (const mistake of messageOf(error).split('\n'))
        console.error(`the site was not reloaded: ${mistake}`);
    }
  }

  /** Says that the server listens. @param origin its address, with the port */
  function announce(origin: string): void {
    if (port === 0) useChosenPort(new URL(origin).port);
    if (production) warnOfOrigin();
    // For example EMFILE: only this connection is lost.
    server.on('error', (error) => console.error(`a connection was not accepted: ${error.message}`));
    console.log(`listening on ${origin}`);
    if (askStore(() => store.invites.isEmpty())) {
      // Where the disk is missing, systemd makes an empty data folder.
      const lost = production
        ? `; if guests were, check that the disk of ${dataFolder} is mounted`
        : '';
      console.log(`Nobody is invited yet: ${commandFor('invite add you@example.com')}${lost}`);
    }
  }

  /**
   * With `PORT=0`, the system chooses a port, which is known only when the server listens. Only
   * then can links and the commands in messages have the port.
   */
  function useChosenPort(chosenPort: string): void {
    if (process.env.PUBLIC_ORIGIN) return;
    process.env.PORT = chosenPort;
    publicOrigin = `http://localhost:${chosenPort}`;
    site = readSite();
    app.replaceSite(site);
  }

  /** Asks the store. If it cannot be read, the error is logged, and the answer is no. */
  function askStore(check: () => boolean): boolean {
    try {
      return check();
    } catch (error) {
      console.error(`the store: ${messageOf(error)}`);
      return false;
    }
  }

  /** In production, browsers keep the cookie only over https. */
  function warnOfOrigin(): void {
    if (!process.env.PUBLIC_ORIGIN)
      console.error(
        `PUBLIC_ORIGIN is not set, so letters link to ${publicOrigin}; set it, and restart`,
      );
    else if (publicOrigin.startsWith('http:'))
      console.error(
        `PUBLIC_ORIGIN is ${publicOrigin}, but browsers keep the cookie only over https, so nobody ` +
          'can enter; set it to the https address, and restart',
      );
  }

  /**
   * Counts new rows, so that the next administrator waits less, and deletes expired sessions.
   */
  function sweep(): void {
    store.countNew();
    store
      .write(({ sessions }) => sessions.sweep(Date.now(), MAX_SWEPT))
      .catch((error) => console.error(messageOf(error)));
  }

  /**
   * Answers the requests that have arrived, then ends. A second signal ends the process at once.
   */
  function stop(): void {
    isStopping = true;
    clearInterval(sweeping);
    stopAnswering(() => store.close());
    for (const signal of STOP_SIGNALS) process.once(signal, () => process.exit(1));
  }
}

/**
 * Listens on the socket that systemd hands over, otherwise on `port`.
 *
 * @param done gets the address on which the server listens
 */
function listen(server: http.Server, port: number, done: (origin: string) => void): void {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  const isHandedOver = LISTEN_PID === String(process.pid) && LISTEN_FDS !== undefined;
  if (isHandedOver && LISTEN_FDS !== '1')
    exit(
      `systemd hands over ${LISTEN_FDS} sockets; ${installationName()}.socket may have one ListenStream`,
      1,
    );
  const noSocket = 'file descriptor 3 is not a listening TCP socket; LISTEN_FDS says that it is';
  server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (isHandedOver) exit(noSocket, 1);
    if (code === 'EADDRINUSE') exit(`port ${port} is in use; set PORT to another`, 1);
    exit(message, 1);
  });
  // Without systemd, only programs on this machine can connect, for example the reverse proxy.
  const place = isHandedOver ? { fd: SYSTEMD_SOCKET } : { port, host: '127.0.0.1' };
  server.listen(place, BACKLOG, () => {
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
