/** Checks the content before a start of the service. */
import { printOutcome } from '../lib/cli/terminal.ts';
import { Refusal, runTool } from '../lib/cli/tool.ts';
import { ContentError } from '../lib/site/content.ts';
import { loadPages } from '../lib/site/render.ts';

await runTool('site', [
  {
    form: 'check',
    help:
      'read pages/content.json and its images as the start of the service does, and name\n' +
      'each mistake; the exit status is 0 only if there is none',
    run({ json }) {
      const { mistakes, warnings } = check();
      if (mistakes.length > 0 && !json) throw new Refusal(mistakes.join('\n'));
      const lines = [...warnings, 'the content is fine'];
      printOutcome(lines.join('\n'), { mistakes, warnings }, json);
      if (mistakes.length > 0) process.exitCode = 1;
    },
  },
]);

function check(): { mistakes: readonly string[]; warnings: readonly string[] } {
  try {
    return { mistakes: [], warnings: loadPages('').warnings };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { mistakes: error.message.split('\n'), warnings: [] };
  }
}
