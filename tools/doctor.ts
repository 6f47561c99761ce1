/** Checks this installation, names each fault and its remedy, and changes nothing. */

import { print } from '../lib/cli/terminal.ts';
import { type Arguments, runTool } from '../lib/cli/tool.ts';
import { checkClientAddress } from '../lib/doctor/client-address.ts';
import type { Finding } from '../lib/doctor/finding.ts';
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

const COMMANDS = [
  {
    form: '',
    help: 'check Node, SQLite, build, settings, content, data, store, invites,\nsnapshot, disk, service and proxy',
    run: diagnose,
  },
];

const NOTES = `  Run it on the host as the service's own user and with the service's environment:

    runuser -u guestlist -- node --env-file=/etc/guestlist.env tools/doctor.js

  The exit status is 0 only if all is well.`;

await runTool('doctor', COMMANDS, NOTES);

async function diagnose({ json }: Arguments): Promise<void> {
  const findings = await examine();
  const text = json ? JSON.stringify(findings, null, 2) : findings.map(describe).join('\n');
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  await print(`${text}\n`);
}

async function examine(): Promise<readonly Finding[]> {
  const { finding, settings } = checkSettings();
  const content = checkContent(settings?.publicOrigin ?? '');
  const sqlite = checkSqlite();
  const findings = [checkNode(), sqlite, checkBuild(), finding, ...content.findings, checkData()];
  if (mayReadData()) {
    if (sqlite.ok) findings.push(...checkStore(), checkSnapshot(Date.now()));
    findings.push(checkDisk());
  }
  if (!settings) return findings;
  const service = await checkService(settings, content.pages);
  findings.push(service, await checkPublic(settings));
  // Without TLS there is no proxy to look at, which the settings' finding says.
  if (service.ok && settings.publicOrigin.startsWith('https:'))
    findings.push(await checkClientAddress(settings));
  return findings;
}

function describe({ check, ok, message, remedy }: Finding): string {
  const line = `${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(9)}  ${message}`;
  return remedy === null ? line : `${line}\n${''.padEnd(18)}→ ${remedy}`;
}
