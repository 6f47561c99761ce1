/** What the built service and its tools need beside `node_modules`. */
export const INSTALLED_FILES = ['package.json', 'server.js', 'lib', 'pages', 'sql', 'tools'];
