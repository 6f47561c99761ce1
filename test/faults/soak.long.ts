/** The short form of `npm run soak`. */
import { it } from 'node:test';
import { siteForAll } from '../support/site.ts';
import { assertSteady, SMALL_HEAP, watch } from './steadiness.ts';

const site = siteForAll();

it('under mixed load, memory, descriptors, WAL and the cost of a request do not grow', async (t) => {
  const server = await site.start(SMALL_HEAP);
  const slices = await watch(site, server, {
    minutes: 0,
    requests: 500,
    pause: 0,
    report: (line) => t.diagnostic(line),
  });
  assertSteady(slices);
});
