/** Requests that the doctor sends: to the service itself, and to the proxy before it. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

export type Answer = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** End of the server's certificate, in epoch ms; NaN if there is none. */
  readonly certificateEnds: number;
};

/** How long to wait for an answer, in ms. */
const ASK_TIMEOUT = 10_000;

/**
 * @param options for node:https; `json` is posted
 * @throws the error of node:http or node:tls: host, connection or certificate
 */
export async function ask(
  url: URL,
  { json, headers, ...options }: https.RequestOptions & { readonly json?: unknown } = {},
): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http;
  const asking = request(url, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
    timeout: ASK_TIMEOUT,
    agent: false,
    ...options,
  });
  asking.on('timeout', () => asking.destroy(new Error('no answer within 10 s')));
  // `once` and `buffer` report the errors of their own time.
  asking.on('error', () => undefined);
  asking.end(json === undefined ? undefined : JSON.stringify(json));
  const [response] = (await once(asking, 'response')) as [http.IncomingMessage];
  const { statusCode = 0, socket } = response;
  const certificateEnds =
    socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
  const body = await buffer(response);
  return { status: statusCode, headers: response.headers, body, certificateEnds };
}
