/** The owner's way to check the site before a start or a reload. */
import { printOutcome } from '../lib/cli/terminal.ts';
import { Refusal, runTool } from '../lib/cli/tool.ts';
import { ContentError } from '../lib/site/reader.ts';
import { loadSite, siteFolder } from '../lib/site/site.ts';

await runTool('site', [
  {
    form: 'check [folder]',
    help:
      'read the site as the start of the service does, and name each mistake;\n' +
      'the exit status is 0 only if there is none',
    async run({ words: [folder = siteFolder()], json }) {
      const { mistakes, warnings } = check(folder);
      if (mistakes.length > 0 && !json) throw new Refusal(mistakes.join('\n'));
      const lines = [...warnings, 'the content is fine'];
      await printOutcome(lines.join('\n'), { mistakes, warnings }, json);
      if (mistakes.length > 0) process.exitCode = 1;
    },
  },
]);

function check(folder: string): {
  readonly mistakes: readonly string[];
  readonly warnings: readonly string[];
} {
  try {
    return { mistakes: [], warnings: loadSite(folder, '').warnings };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { mistakes: error.mistakes, warnings: [] };
  }
}
