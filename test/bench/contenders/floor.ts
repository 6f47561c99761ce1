/** The floor: bare node:http that only sends the bytes. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, readSetup, type Sample } from './setup.ts';

const { samples } = readSetup();

const ready = ({ headers, body }: Sample) => {
  const bytes = Buffer.from(body);
  return { headers: [...headers, 'Content-Length', String(bytes.length)], bytes };
};

const replies = new Map([
  ['/', ready(samples.entry)],
  ['/timeline', ready(samples.desktop)],
  ['/auth/me', ready(samples.me)],
  ['/api/project-join', ready(samples.join)],
]);

const server = http.createServer((request, response) => {
  const reply = replies.get(request.url ?? '');
  if (reply) response.writeHead(200, reply.headers).end(reply.bytes);
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
