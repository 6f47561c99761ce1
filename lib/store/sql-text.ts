/** The SQL of a schema as text, in a form in which equal definitions are equal. */

/** SQLite ignores the case of ASCII alone. */
export const foldSql = (text: string): string =>
  text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

/** As SQLite reads them, but for `'it''s'`, which is two. What is not closed ends with the SQL. */
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

/** Drops comments, white space, case and the quotes of names. What is between `'` stays as it is. */
export function normalizeSql(sql: string): string {
  const tokens: string[] = [];
  for (const token of sql.match(TOKEN) ?? []) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (' \t\n\f\r'.includes(token)) continue;
    tokens.push(token.startsWith("'") ? token : foldSql(withoutQuotes(token)));
  }
  return tokens.join(' ');
}

/** Quotes stay around a name that would be several tokens without them. */
function withoutQuotes(token: string): string {
  const name = /^["`[](\w+)["`\]]$/.exec(token)?.[1];
  return name ?? token;
}
