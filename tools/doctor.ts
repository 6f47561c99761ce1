/** Looks at this installation from all sides, names each fault and its remedy, and changes nothing. */

import { runTool, UsageError } from '../lib/cli/terminal.ts';
import { checkClientAddress } from '../lib/doctor/client-address.ts';
import type { Finding } from '../lib/doctor/finding.ts';
import {
  checkBuild,
  checkData,
  checkNode,
  checkSettings,
  mayReadData,
} from '../lib/doctor/installation.ts';
import { checkContent, checkPublic, checkService } from '../lib/doctor/service.ts';
import { checkDisk, checkSnapshot, checkStore } from '../lib/doctor/store.ts';

const USAGE = `usage: doctor

  Checks Node, build, settings, content, data, store, snapshot, disk, service and proxy. Run it on the
  host as the service's own user and with the service's environment:

    runuser -u guestlist -- node --env-file=/etc/guestlist.env tools/doctor.js

  The exit status is 0 only if all is well.

  --json  print for programs     --help  print this`;

await runTool(USAGE, {}, async (args) => {
  if (args.words.length > 0) throw new UsageError(`doctor does not know "${args.words.join(' ')}"`);
  const findings = await examine();
  if (args.flag('json')) console.log(JSON.stringify(findings, null, 2));
  else findings.forEach(print);
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
});

async function examine(): Promise<readonly Finding[]> {
  const { finding, settings } = checkSettings();
  const content = checkContent(settings?.publicOrigin ?? '');
  const findings = [checkNode(), checkBuild(), finding, ...content.findings, checkData()];
  if (mayReadData()) findings.push(...checkStore(), checkSnapshot(Date.now()), checkDisk());
  if (!settings) return findings;
  const service = await checkService(settings, content.pages);
  findings.push(service, await checkPublic(settings));
  // Without TLS there is no proxy to look at, which the settings' finding says.
  if (service.ok && settings.publicOrigin.startsWith('https:'))
    findings.push(await checkClientAddress(settings));
  return findings;
}

function print({ check, ok, message, remedy }: Finding): void {
  console.log(`${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(9)}  ${message}`);
  if (remedy !== null) console.log(`${''.padEnd(18)}→ ${remedy}`);
}
