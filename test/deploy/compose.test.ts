/** deploy/compose.yaml, as far as a text and Compose's own parser tell: no engine runs it here. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks } from '../support/lacks.ts';
import { runToEnd } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const text = fs.readFileSync(path.join(root, 'deploy/compose.yaml'), 'utf8');
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The lines of a service. */
function service(name: string): string {
  const [, lines = ''] = text.split(new RegExp(`^ {2}${name}:\n`, 'm'));
  return lines.split(/^ {0,2}\S/m)[0] ?? '';
}

it('names each image with its version', () => {
  const images = [...text.matchAll(/^ {4}image: (.*)$/gm)].map(([, image = '']) => image);
  assert.equal(images.length, 4);
  for (const image of images)
    assert.match(image, image.startsWith('guestlist') ? /^guestlist:/ : /caddy:\d+\.\d+\.\d+$/);
  const own = images.filter((image) => image.startsWith('guestlist:'));
  assert.deepEqual(own, Array(3).fill(`guestlist:${version}`));
});

it('lets Caddy and the service restart without each other', () => {
  for (const name of ['caddy', 'guestlist'])
    assert.match(service(name), /^ {4}network_mode: service:net$/m);
  assert.match(service('net'), /^ {4}entrypoint: \[sleep, infinity\]$/m);
  assert.match(service('net'), /^ {4}ports: \['80:80', '443:443'\]$/m);
  assert.equal(text.match(/ports:/g)?.length, 1);
});

it('takes snapshots in a container without a network, of the same volume', () => {
  const backup = service('backup');
  assert.match(backup, /guestlist backup create.*sleep 86400/);
  assert.match(backup, /^ {4}network_mode: none$/m);
  assert.match(backup, /^ {6}- guestlist:\/var\/lib\/guestlist$/m);
  for (const each of [backup, service('net')]) {
    assert.match(each, /^ {4}init: true$/m);
    assert.match(each, /^ {4}healthcheck:\n {6}disable: true$/m);
  }
});

it('is accepted by docker-compose', { skip: lacks('docker-compose') }, () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'compose.yaml');
  // Debian's docker-compose 1 does not know the name of a project.
  fs.writeFileSync(file, text.replace(/^name: .*$/m, ''));
  const { status, stdout, stderr } = runToEnd(['docker-compose', '-f', file, 'config']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout.match(/network_mode: service:net$/gm)?.length, 2);
});
