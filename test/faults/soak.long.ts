/** The short form of `npm run soak`. */
import { it } from 'node:test';
import { siteForAll } from '../support/site.ts';
import { assertSteady, watch } from './steadiness.ts';

const site = siteForAll();

it('under mixed load memory and descriptors stay flat, the log bounded, and requests cost no more', async (t) => {
  // A heap in which V8 must collect soon: what grows within seconds then is kept, not only not yet collected.
  const server = await site.start({
    NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=32',
  });
  const slices = await watch(site, server, {
    minutes: 0.08,
    pause: 0,
    report: (line) => t.diagnostic(line),
  });
  assertSteady(slices);
});
