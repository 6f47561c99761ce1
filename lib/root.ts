/** Where this installation lies, whatever the working folder is. */
import { fileURLToPath } from 'node:url';

/** Absolute path of the folder that holds `server.ts`, with a trailing slash. */
export const root = fileURLToPath(new URL('../', import.meta.url));
