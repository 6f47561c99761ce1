/** Normalizes the SQL of a schema, so that equal definitions become equal texts. */

/** SQLite ignores the case of ASCII alone. */
export const foldSql = (text: string): string =>
  text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

/**
 * The tokens of SQL, as SQLite reads them. Here, `'it''s'` is two tokens, and an open quote ends
 * with the SQL.
 */
const TOKENS = [
  // `-- a note`, not `- - a note`
  /--[^\n]*/,
  // `/* a note */`, not `/ * a note */`
  /\/\*[\s\S]*?(?:\*\/|$)/,
  /'[^']*(?:'|$)/,
  /"[^"]*(?:"|$)/,
  /`[^`]*(?:`|$)/,
  /\[[^\]]*(?:\]|$)/,
  // `is_admin`, not `is admin`
  /[\w$\u0080-\uffff]+/,
  /[\s\S]/,
];
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join('|'), 'g');

/** Removes comments, white space, case and the quotes of names. Strings stay unchanged. */
export function normalizeSql(sql: string): string {
  const tokens: string[] = [];
  for (const token of sql.match(TOKEN) ?? []) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (' \t\n\f\r'.includes(token)) continue;
    tokens.push(token.startsWith("'") ? token : foldSql(withoutQuotes(token)));
  }
  return tokens.join(' ');
}

/**
 * `is_admin` for `"is_admin"`. A name that would be several tokens keeps its quotes: `"is admin"`.
 */
function withoutQuotes(token: string): string {
  const name = /^["`[](\w+)["`\]]$/.exec(token)?.[1];
  return name ?? token;
}
