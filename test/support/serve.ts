/** A handler on a socket, in the process of the test. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { answerRequests } from '../../lib/http/listener.ts';
import type { Handler } from '../../lib/http/request.ts';
import { within } from './limit.ts';

/** Serves until the end of the file, `describe` block or test. */
export async function serve(handler: Handler, everyReply: readonly string[] = []) {
  const server = http.createServer();
  const stop = answerRequests(server, handler, everyReply);
  await within('a port', once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { server, stop, port, origin: `http://127.0.0.1:${port}` };
}
