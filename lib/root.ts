/** Where this installation lies: everything else is found from here, never from the working folder. */
import { fileURLToPath } from 'node:url';

/** Absolute path of the application root, the folder that holds `server.ts`, with a trailing slash. */
export const root = fileURLToPath(new URL('../', import.meta.url));
