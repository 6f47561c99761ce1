/** Checks this installation, names each fault and its remedy, and changes nothing. */
import { print } from '../lib/cli/terminal.ts';
import { type Arguments, runTool } from '../lib/cli/tool.ts';
import { examine, type Finding } from '../lib/doctor/examine.ts';

await runTool('doctor', [
  {
    form: '',
    help: `check settings, Node, SQLite, site, data, newest snapshot, disk, service
and public address. The exit status is 0 only if all is well.`,
    run: diagnose,
  },
]);

async function diagnose({ json }: Arguments): Promise<void> {
  const findings = await examine(process.env);
  const text = json ? JSON.stringify(findings, null, 2) : findings.map(describe).join('\n');
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  print(`${text}\n`);
}

function describe({ check, ok, message }: Finding): string {
  const indented = message.replaceAll('\n', `\n${''.padEnd(17)}`);
  return `${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(8)}  ${indented}`;
}
