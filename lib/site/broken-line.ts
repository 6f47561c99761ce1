/** Finds the line on which a text stops being JSON: `JSON.parse` tells it only sometimes. */

const TOKEN = /"(?:[^"\\\n]+|(?:\\.)+)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** What a value can begin with: `s` stands for a string, `v` for any other plain value. */
const VALUE = 'sv{[';

/** The line, from 1, of the first wrong token; the last line where the text ends early. */
export function brokenLine(text: string): number {
  /** What closes each object and list that is open, the innermost last. */
  const open: string[] = [];
  let expected = VALUE;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const kind = kindOf(token);
    if (!expected.includes(kind)) return lineAt(text, index);
    const isName = kind === 's' && !expected.includes('v');
    expected = isName ? ':' : follow(kind, open);
  }
  return lineAt(text.trimEnd(), text.length);
}

/** Opens or closes what a sign does. @returns what can come next */
function follow(kind: string, open: string[]): string {
  if (kind === '{') open.push('}');
  else if (kind === '[') open.push(']');
  else if (kind === open.at(-1)) open.pop();
  const close = open.at(-1) ?? '';
  if (kind === '{') return `s${close}`;
  if (kind === '[') return VALUE + close;
  if (kind === ':') return VALUE;
  if (kind === ',') return close === '}' ? 's' : VALUE;
  return close === '' ? '' : `,${close}`;
}

function kindOf(token: string): string {
  if (/^[{}[\],:]$/.test(token)) return token;
  try {
    return typeof JSON.parse(token) === 'string' ? 's' : 'v';
  } catch {
    return '?';
  }
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
