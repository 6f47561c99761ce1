/** Checks this installation, names each fault and its remedy, and changes nothing. */

import { print } from '../lib/cli/terminal.ts';
import { type Arguments, runTool } from '../lib/cli/tool.ts';
import { checkClientAddress } from '../lib/doctor/client-address.ts';
import { type Finding, finding } from '../lib/doctor/finding.ts';
import {
  checkBuild,
  checkData,
  checkNode,
  checkSettings,
  checkSqlite,
  mayReadData,
} from '../lib/doctor/installation.ts';
import { checkContent, checkPublic, checkService } from '../lib/doctor/service.ts';
import { checkDisk, checkSnapshot, checkStore } from '../lib/doctor/store.ts';

await runTool('doctor', [
  {
    form: '',
    help: `check Node, SQLite, build, settings, content, data, store, invites,
snapshot, disk, service and proxy. Run it on the host as the service's own
user and with the service's environment:
runuser -u guestlist -- node --env-file=/etc/guestlist.env tools/doctor.js
The exit status is 0 only if all is well.`,
    run: diagnose,
  },
]);

async function diagnose({ json }: Arguments): Promise<void> {
  const findings = await examine();
  const text = json ? JSON.stringify(findings, null, 2) : findings.map(describe).join('\n');
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  print(`${text}\n`);
}

async function examine(): Promise<readonly Finding[]> {
  const { result, settings } = checkSettings();
  const { results, site } = checkContent(settings?.publicOrigin ?? '');
  const sqlite = finding('sqlite', checkSqlite());
  const findings = [
    finding('node', checkNode()),
    sqlite,
    finding('build', checkBuild()),
    finding('settings', result),
    ...results.map((each) => finding('content', each)),
    finding('data', checkData()),
  ];
  if (mayReadData()) {
    if (sqlite.ok) findings.push(...checkStore(), finding('snapshot', checkSnapshot()));
    findings.push(finding('disk', checkDisk()));
  }
  if (!settings) return findings;
  const service = finding('service', await checkService(settings, site));
  findings.push(service, finding('public', await checkPublic(settings)));
  // Without TLS there is no proxy to check; the finding about the settings says so.
  if (service.ok && settings.publicOrigin.startsWith('https:'))
    findings.push(finding('address', await checkClientAddress(settings)));
  return findings;
}

function describe({ check, ok, message, remedy }: Finding): string {
  const line = `${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(9)}  ${message}`;
  return remedy === null ? line : `${line}\n${''.padEnd(18)}→ ${remedy}`;
}
