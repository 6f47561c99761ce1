/** Makes a site of your own from the sample, and checks it. */
import fs from 'node:fs';
import { runTool } from '../lib/cli.ts';
import { ExpectedError, readSettings } from '../lib/config.ts';
import { createDataFolder } from '../lib/data-folder.ts';
import { loadSite, OWN_SITE, SAMPLE_SITE, siteFolder } from '../lib/site/site.ts';

runTool('site', {
  init: {
    help: `copy the sample to ${OWN_SITE}`,
    run: init,
  },
  check: {
    usage: '[folder]',
    help: 'name the mistakes of the site, or of another folder',
    words: { least: 0, most: 1 },
    run: ({ words: [folder = siteFolder()] }) => check(folder),
  },
});

function init(): string {
  if (fs.existsSync(OWN_SITE)) throw new ExpectedError(`${OWN_SITE} exists already`);
  createDataFolder();
  // Half a copy, as of a full disk, would stop the next start.
  const draft = fs.mkdtempSync(`${OWN_SITE}-`);
  try {
    fs.cpSync(SAMPLE_SITE, draft, { recursive: true });
    fs.renameSync(draft, OWN_SITE);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return `${OWN_SITE} is a copy of the sample; edit its content.json, then restart the service`;
}

function check(folder: string): string {
  const { warnings } = loadSite(folder, readSettings().publicOrigin);
  const lines = warnings.map((warning) => `warning: ${warning}`);
  return [...lines, `${folder} has no mistakes`].join('\n');
}
