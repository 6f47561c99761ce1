/** Checks this installation, and names each fault with its remedy. It changes nothing. */
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { examineInstallation, type Finding } from '../lib/extras/doctor/examine.ts';

export const main = defineTool('doctor', [
  {
    usage: '',
    help: `check settings, site, store, newest snapshot and public address.
      The exit status is 0 only if there is no fault.`,
    run: diagnose,
  },
]);

async function diagnose(call: Call): Promise<void> {
  const findings = await examineInstallation(process.env);
  const text = call.json ? JSON.stringify(findings, null, 2) : findings.map(describe).join('\n');
  call.write(`${text}\n`);
  if (findings.some(({ status }) => status === 'fault')) throw new Refusal();
}

function describe({ check, status, message }: Finding): string {
  const indented = message.replaceAll('\n', `\n${''.padEnd(17)}`);
  const shown = status === 'fault' ? 'FAULT' : status.padEnd(5);
  return `${shown}  ${check.padEnd(8)}  ${indented}`;
}

await runFromShell(import.meta.url, main);
