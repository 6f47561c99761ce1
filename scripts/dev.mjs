/** Builds, then starts the server from its sources. `npm run dev` does so again after each change. */
import './build.mjs';

await import('../server.ts');
