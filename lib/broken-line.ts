/** Finds the line on which a text stops being JSON: `JSON.parse` tells it only sometimes. */

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A complete object or list at the end; `s` is a string, `v` any other value. */
const WHOLE = /\{(?:s:[sv](?:,s:[sv])*)?\}$|\[(?:[sv](?:,[sv])*)?\]$/;

/** What JSON can begin with: open objects and lists, and a value or a name in the innermost. */
const BEGINNING = /^(?:\{(?:s:[sv],)*s:|\[(?:[sv],)*)*(?:[sv]|\{(?:s:[sv],)*(?:s(?::[sv]?)?)?)?$/;

/** The line, from 1, of the first wrong token; the last line where the text ends early. */
export function brokenLine(text: string): number {
  let shape = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    shape = `${shape}${kindOf(token)}`.replace(WHOLE, 'v');
    if (!BEGINNING.test(shape)) return lineAt(text, index);
  }
  return lineAt(text.trimEnd(), text.length);
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
