/** Finds the line on which a text stops being JSON: `JSON.parse` tells it only sometimes. */

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A whole object or list at the end of a shape; `s` stands for a string, `v` for any other value. */
const WHOLE = /\{(?:s:[sv](?:,s:[sv])*)?\}$|\[(?:[sv](?:,[sv])*)?\]$/;

/** A shape that JSON can begin with: objects and lists that are still open, and in the innermost a value or a name. */
const BEGINNING = /^(?:\{(?:s:[sv],)*s:|\[(?:[sv],)*)*(?:[sv]|\{(?:s:[sv],)*(?:s(?::[sv]?)?)?)?$/;

/** The line, from 1, of the first word or sign that cannot stand there, or the last where the text only ends too early. */
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
