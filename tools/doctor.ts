/** Checks this installation, names each fault and its remedy, and changes nothing. */

import { print } from '../lib/cli/terminal.ts';
import { type Arguments, runTool } from '../lib/cli/tool.ts';
import { examine } from '../lib/doctor/examine.ts';
import type { Finding } from '../lib/doctor/finding.ts';

await runTool('doctor', [
  {
    form: '',
    help: `check Node, SQLite, build, settings, content, data, store, invites,
snapshot, disk, service and proxy. Run it on the host by "guestlist doctor",
as the service's user and with the service's settings. The exit status is 0 only if all is well.`,
    run: diagnose,
  },
]);

async function diagnose({ json }: Arguments): Promise<void> {
  const findings = await examine(process.env);
  const text = json ? JSON.stringify(findings, null, 2) : findings.map(describe).join('\n');
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  print(`${text}\n`);
}

function describe({ check, ok, message, remedy }: Finding): string {
  const line = `${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(9)}  ${message}`;
  return remedy === null ? line : `${line}\n${''.padEnd(18)}→ ${remedy}`;
}
