/** Checks this installation, names each fault and its remedy, and changes nothing. */
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { examineInstallation, type Finding } from '../lib/doctor/examine.ts';

export const main = defineTool('doctor', [
  {
    name: '',
    help: `check settings, SQLite, site, data, newest snapshot, disk, service
      and public address. The exit status is 0 only if every check passes.`,
    run: diagnose,
  },
]);

async function diagnose(call: Call): Promise<void> {
  const findings = await examineInstallation(process.env);
  const text = call.json ? JSON.stringify(findings, null, 2) : findings.map(describe).join('\n');
  call.write(`${text}\n`);
  if (findings.some(({ ok }) => !ok)) throw new Refusal();
}

function describe({ check, ok, message }: Finding): string {
  const indented = message.replaceAll('\n', `\n${''.padEnd(17)}`);
  return `${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(8)}  ${indented}`;
}

await runFromShell(import.meta.url, main);
