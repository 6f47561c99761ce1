/** Visitors of the proxies, over HTTP/1.1 or HTTP/2 with TLS. Each has its own loopback address. */
import http2 from 'node:http2';
import https from 'node:https';
import type net from 'node:net';
import tls from 'node:tls';
import { DOMAIN, type RunningProxy } from './proxy.ts';

export type Answer = {
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** The first value of a header. */
  header(name: string): string | undefined;
};

export type Ask = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with its length. */
  readonly json?: unknown;
};

/** A visitor at a loopback address, with one connection. */
export function visitor(proxy: RunningProxy, localAddress = '127.0.0.2') {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  return {
    close: () => agent.destroy(),
    ask: ({ method, path, headers, json }: Ask): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const body = json === undefined ? undefined : JSON.stringify(json);
        const request = https.request({
          host: '127.0.0.1',
          port: proxy.https,
          servername: DOMAIN,
          ca: proxy.certificate,
          localAddress,
          agent,
          path,
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            host: DOMAIN,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }),
            ...headers,
          },
        });
        request.on('error', reject);
        request.on('response', (response) => {
          const chunks: Buffer[] = [];
          response.on('error', reject).on('data', (chunk) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.rawHeaders,
              body: Buffer.concat(chunks),
              header: (name) => {
                const value = response.headers[name];
                return Array.isArray(value) ? value[0] : value;
              },
            }),
          );
        });
        request.end(body);
      }),
  };
}

export type Visitor = ReturnType<typeof visitor>;

/** Opens a TLS connection to the proxy for raw bytes. */
export function rawConnection(
  proxy: RunningProxy,
  protocols: string[] = ['http/1.1'],
): tls.TLSSocket {
  const options = {
    host: '127.0.0.1',
    port: proxy.https,
    servername: DOMAIN,
    ca: proxy.certificate,
    ALPNProtocols: protocols,
    localAddress: '127.0.0.2',
  };
  return tls.connect(options);
}

/** Reads a connection until it is closed or reset. */
export function untilClosed(socket: net.Socket): Promise<string> {
  let received = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      received += chunk;
    });
  return new Promise((resolve) => socket.once('close', () => resolve(received)));
}

export const login = (email: string) => ({ path: '/auth/login', json: { email } });

/** The session cookie of an answer, to send back. */
export const sessionCookie = (answer: Answer): string =>
  (answer.header('set-cookie') ?? '').split(';')[0] ?? '';

/** One GET over HTTP/2. @returns its status */
export async function askHttp2(proxy: RunningProxy, path: string): Promise<number> {
  const session = http2.connect(`https://${DOMAIN}`, {
    createConnection: () => rawConnection(proxy, ['h2']),
  });
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({ ':path': path });
      stream.on('response', (headers) => resolve(headers[':status'] ?? 0));
      stream.on('error', reject).end();
    });
  } finally {
    session.destroy();
  }
}
