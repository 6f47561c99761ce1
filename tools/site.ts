/** The owner's way to check the content before a start. */
import { Refusal, runTool, UsageError } from '../lib/cli/terminal.ts';
import { ContentError } from '../lib/content.ts';
import { loadPages } from '../lib/pages.ts';

const USAGE = `usage: site check

  site check  reads pages/content.json and its images as the start of the service does, and names
              each mistake; the exit status is 0 only if there is none

  --json  print for programs     --help  print this`;

await runTool(USAGE, {}, (args) => {
  if (args.words.join(' ') !== 'check')
    throw new UsageError(
      args.words.length > 0
        ? `site does not know "${args.words.join(' ')}"`
        : 'site needs a command',
    );
  const { mistakes, warnings } = check();
  if (args.flag('json')) console.log(JSON.stringify({ mistakes, warnings }));
  else if (mistakes.length > 0) throw new Refusal(mistakes.join('\n'));
  else for (const line of [...warnings, 'the content is fine']) console.log(line);
  if (mistakes.length > 0) process.exitCode = 1;
});

function check(): { mistakes: readonly string[]; warnings: readonly string[] } {
  try {
    return { mistakes: [], warnings: loadPages('').warnings };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { mistakes: error.message.split('\n'), warnings: [] };
  }
}
