/** Upgrades of an installed archive under load through the proxy, two of them broken on purpose. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Machine } from './machine.ts';
import { AUTHORITIES, DOMAIN, NODE } from './stand-ins.ts';

/** Clients with one session, who view and join until a file tells them to stop. */
const LOAD = `
const fs = require('fs');
const https = require('https');
const agent = new https.Agent({ keepAlive: true, maxSockets: 8 });
const send = (method, path, headers = {}, body) => new Promise((resolve) => {
  const request = https.request({ host: '${DOMAIN}', path, method, headers, agent }, (response) => {
    response.resume().on('end', () => resolve(response)).on('error', (error) => resolve(error));
  });
  request.on('error', resolve).end(body);
});
(async () => {
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@guestlist.test' });
  const { headers } = await send('POST', '/auth/login', json, body);
  const cookie = { Cookie: headers['set-cookie'][0].split(';')[0] };
  const counts = { requests: 0, joined: 0, failed: {}, slowest: 0 };
  const client = async () => {
    while (!fs.existsSync('/root/load.stop')) {
      for (const [method, path] of [['GET', '/timeline'], ['POST', '/api/project-join']]) {
        const began = Date.now();
        const { statusCode, code } = await send(method, path, { ...json, ...cookie }, method === 'POST' ? '{}' : undefined);
        counts.requests += 1;
        counts.slowest = Math.max(counts.slowest, Date.now() - began);
        if (statusCode !== 200) counts.failed[statusCode ?? code] = (counts.failed[statusCode ?? code] ?? 0) + 1;
        else if (method === 'POST') counts.joined += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  fs.writeFileSync('/root/load.new', JSON.stringify(counts));
  fs.renameSync('/root/load.new', '/root/load.json');
})();`;

/**
 * Archives of later versions: a whole one, one that ends after its trial, and one that ends after it
 * has migrated the store.
 */
const ARCHIVES = `mkdir -p /root/made /root/new /root/broken /root/migrated
  tar -xzf /root/guestlist-*-linux-x64.tar.gz -C /root/made
  cd /root/made/guestlist-*
  pack() {
    sed -i "s/\\"version\\": \\".*\\"/\\"version\\": \\"$1\\"/" package.json
    tar -C .. --use-compress-program='gzip -1' -cf "$2/guestlist-$1-linux-x64.tar.gz" "$(basename "$PWD")"
    (cd "$2" && sha256sum guestlist-* > SHA256SUMS)
  }
  pack 9.0.0 /root/new
  echo "if (process.env.PORT !== '0') process.exit(1);" >> server.js
  pack 9.0.1 /root/broken
  echo 'create table more (a text) strict;' > sql/$(printf %03d $(($(ls sql | wc -l) + 1)))-more.sql
  pack 9.0.2 /root/migrated
  rm -r /root/made`;

type Counts = {
  readonly requests: number;
  readonly joined: number;
  readonly failed: Readonly<Record<string, number>>;
  readonly slowest: number;
};

/** Makes `/root/new` for the commands of the documents. No request of the load may fail. */
export function upgradesUnderLoad({ folder, run, read }: Machine): void {
  fs.writeFileSync(path.join(folder, 'root/load.cjs'), LOAD);
  run(ARCHIVES);
  const joined = () => JSON.parse(read('guestlist joins stats --json')).clicks;
  const former = read('guestlist --version').trim();
  const before = joined();
  run(`rm -f /root/load.stop /root/load.json
    systemd-run --quiet --unit=load -E NODE_EXTRA_CA_CERTS=${AUTHORITIES} ${NODE} /root/load.cjs
    sleep 3
    guestlist upgrade /root/new/guestlist-*.tar.gz
    sleep 3
    ! guestlist upgrade /root/broken/guestlist-*.tar.gz
    test "$(guestlist --version)" = 9.0.0
    sleep 3
    ! guestlist upgrade /root/migrated/guestlist-*.tar.gz
    test "$(guestlist --version)" = 9.0.0
    sleep 3
    guestlist rollback
    test "$(guestlist --version)" = ${former}
    sleep 3
    touch /root/load.stop
    for i in $(seq 300); do test -e /root/load.json && break; sleep 0.2; done`);
  const counts: Counts = JSON.parse(read('cat /root/load.json'));
  console.log('an upgrade, two broken ones and a way back under load:', JSON.stringify(counts));
  assert.deepEqual(counts.failed, {});
  assert.equal(joined() - before, counts.joined);
}
