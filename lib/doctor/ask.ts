/** Requests that the doctor sends: to the service itself, and to the proxy before it. */
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';

export type Answer = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Of the proxy's certificate, in epoch ms, where there is one. */
  readonly certificateEnds: number | undefined;
};

/** How long to wait for an answer, in ms. */
const PATIENCE = 10_000;

export type Options = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Posts this as JSON, rather than getting. */
  readonly json?: unknown;
  /** The connection to use instead of a new one to the URL's host. */
  readonly socket?: net.Socket;
};

/** @throws the error of node:http or node:tls: host, connection or certificate */
export function ask(url: URL, { headers = {}, json, socket }: Options = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const { request } = url.protocol === 'https:' ? https : http;
    const asking = request(url, {
      method: body === undefined ? 'GET' : 'POST',
      timeout: PATIENCE,
      headers: {
        ...headers,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
      ...(socket ? { createConnection: () => socket } : { agent: false }),
    });
    asking.on('error', reject);
    asking.on('timeout', () => asking.destroy(new Error('no answer within 10 s')));
    asking.on('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          certificateEnds: certificateEnd(response.socket),
        });
      } catch (error) {
        reject(error);
      }
    });
    asking.end(body);
  });
}

function certificateEnd(socket: net.Socket): number | undefined {
  if (!(socket instanceof tls.TLSSocket)) return undefined;
  const { valid_to } = socket.getPeerCertificate();
  return valid_to ? Date.parse(valid_to) : undefined;
}

/**
 * A TLS connection to the proxy for the site's host, wherever that name leads.
 *
 * @param from the loopback address to come from
 */
export function connectToProxy(site: URL, host: string, from?: string): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const options = {
      host,
      port: Number(site.port || 443),
      ALPNProtocols: ['http/1.1'],
      timeout: PATIENCE,
      // The certificate is judged by another check; this one also works where that fails.
      rejectUnauthorized: false,
      ...(net.isIP(site.hostname) === 0 && { servername: site.hostname }),
      ...(from !== undefined && { localAddress: from }),
    };
    const secure = tls.connect(options, () => resolve(secure));
    secure.on('timeout', () => secure.destroy(new Error('no answer within 10 s')));
    secure.on('error', reject);
  });
}
