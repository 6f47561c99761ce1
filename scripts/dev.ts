/**
 * Builds, then runs the service from its source; `npm run dev` restarts it on every change of the
 * code. A change of the site is reloaded.
 */
import './build.ts';
import fs from 'node:fs';
import path from 'node:path';
import { siteFolder } from '../lib/site/site.ts';

await import('../server.ts');

for (const name of ['', 'public', 'images', 'media']) {
  const folder = path.join(siteFolder(), name);
  if (fs.existsSync(folder)) fs.watch(folder, () => process.kill(process.pid, 'SIGHUP'));
}
