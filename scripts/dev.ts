/** Builds, then runs the service from its source; `npm run dev` restarts it on every change. */
import './build.ts';

await import('../server.ts');
