/** The folders in which the build writes a `.js` beside each `.ts`; `server.ts` lies above them. */
export const COMPILED_FOLDERS = ['lib', 'pages', 'tools'];

/** The files that the built service and its tools need beside `node_modules`. */
export const INSTALLED_FILES = ['package.json', 'server.js', 'sql', ...COMPILED_FOLDERS];
