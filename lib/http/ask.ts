/** Sends requests: to the service itself, and to its proxy. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

/** How long to wait for an answer, in ms. */
const ASK_TIMEOUT = 10_000;

/**
 * Sends a request.
 *
 * @returns the answer, and the end of the server's certificate in epoch ms, NaN if there is none
 * @throws the error of node:http or node:tls: host, connection or certificate
 */
export async function ask(url: URL, options: https.RequestOptions = {}) {
  const { request } = url.protocol === 'https:' ? https : http;
  const asking = request(url, { timeout: ASK_TIMEOUT, agent: false, ...options });
  asking.on('timeout', () => asking.destroy(new Error('no answer within 10 s')));
  // `once` and `buffer` report the errors of their own time.
  asking.on('error', () => undefined);
  asking.end();
  const [response] = (await once(asking, 'response')) as [http.IncomingMessage];
  const { statusCode: status = 0, headers, socket } = response;
  const certificateEnds =
    socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
  return { status, headers, body: await buffer(response), certificateEnds };
}
