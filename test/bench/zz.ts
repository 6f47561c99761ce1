import { filledStore } from './filled-store.ts';

for (const s of [
  { events: 1e4, people: 1e3, clicks: 1e3 },
  { events: 1e6, people: 1e4, clicks: 1e5 },
  { events: 1e7, people: 1e5, clicks: 1e6 },
]) {
  const t = performance.now();
  filledStore(s);
  console.log(s.events, ((performance.now() - t) / 1000).toFixed(1), 's');
}
