/** Runs a contender: `node contender.mjs <framework> <form> <setup.json>`. */
import fs from 'node:fs';
import http from 'node:http';
import { openSite, plainSite, rawRoutes } from './site.mjs';

const [, , framework, form, file] = process.argv;
const setup = JSON.parse(fs.readFileSync(file, 'utf8'));

/** The ceiling: bare node:http that sends a page, without a store. */
function bare({ headers, body }) {
  return http.createServer((_, response) => response.writeHead(200, headers).end(body, 'latin1'));
}

async function contender() {
  const site = openSite(setup);
  const forms = await import(`./${framework}.mjs`);
  return form === 'fastest' ? forms.fastest(rawRoutes(site)) : forms.documented(plainSite(site));
}

const server = framework === 'node:http' ? bare(setup.replies.desktop) : await contender();
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
