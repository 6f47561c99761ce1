/** The firewall of docs/install.md, with clients on a separate network. */
import fs from 'node:fs';
import path from 'node:path';
import type { Machine } from './machine.ts';

/** Opens connections, and counts those that succeed. */
const CLIENTS = `
const net = require('net');
const connect = (host, localAddress) => new Promise((resolve) => {
  const socket = net.connect({ host, port: 443, localAddress });
  socket.on('connect', () => resolve(1)).on('error', () => resolve(0));
});
const count = async (host, address, times) =>
  (await Promise.all(Array.from({ length: times }, () => connect(host, address)))).reduce((a, b) => a + b);
(async () => {
  const counts = [
    await count('10.9.0.1', '10.9.0.2', 120),
    await count('10.9.0.1', '10.9.0.3', 1),
    await count('fd00:9::1', 'fd00:9:0:1::2', 60) + await count('fd00:9::1', 'fd00:9:0:1::3', 60),
    await count('fd00:9::1', 'fd00:9:0:2::2', 1),
  ].join();
  console.log(counts);
  process.exit(counts === '100,1,100,1' ? 0 : 1);
})();`;

const NETWORK = `set -eu
nft -f /etc/nftables.conf
unshare --net sleep 300 & peer=$!
node -e 'require("net").createServer(() => {}).listen(443, "::")' & server=$!
trap 'kill $peer $server' EXIT
while [ $(readlink /proc/$peer/ns/net) = $(readlink /proc/$$/ns/net) ]; do sleep 0.1; done
there() { nsenter --net=/proc/$peer/ns/net "$@"; }
ip link add v0 type veth peer name v1 netns $peer
ip addr add 10.9.0.1/24 dev v0
ip addr add fd00:9::1/48 dev v0 nodad
ip link set v0 up
for address in 10.9.0.2/24 10.9.0.3/24; do there ip addr add $address dev v1; done
for address in 1::2 1::3 2::2; do there ip addr add fd00:9:0:$address/48 dev v1 nodad; done
there ip link set v1 up
while ! ss -Hltn | grep -q :443; do sleep 0.1; done
there node /root/clients.cjs`;

/** Each IPv4 address or IPv6 /64 has at most 100 connections, without effect on others. */
export function limitsConnections({ folder, run }: Machine): void {
  fs.writeFileSync(path.join(folder, 'root/clients.cjs'), CLIENTS);
  fs.writeFileSync(path.join(folder, 'root/network.sh'), NETWORK);
  run('unshare --net bash /root/network.sh');
}
