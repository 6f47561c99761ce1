/** Parses JSON. Unlike `JSON.parse` it names the line of each mistake, and refuses repeated fields. */
import { isUtf8 } from 'node:buffer';
import { ContentError, fail } from './reader.ts';

/** White space, a string, punctuation, or any other run of characters. */
const TOKEN = /[\t\n\r ]+|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\t\n\r "{}[\],:]+|"/gs;

type Token = { readonly text: string; readonly line: number };

/** @throws {ContentError} if the file is not UTF-8, not JSON, or has a field twice */
export function parseJson(file: Buffer): unknown {
  if (!isUtf8(file)) return fail('', 'not UTF-8; save the file as UTF-8');
  // The decoder drops a byte order mark.
  const tokens = [...tokensOf(new TextDecoder().decode(file).trimEnd())].reverse();
  const repeated: string[] = [];

  const take = (): Token => tokens.pop() ?? { text: '', line: 0 };
  const accept = (text: string) => tokens.at(-1)?.text === text && take();
  const expect = (text: string) => accept(text) || broken(take());

  const value = (token = take()): unknown => {
    if (token.text === '[') return [...items(']', () => value())];
    if (token.text === '{') return fields();
    try {
      return JSON.parse(token.text);
    } catch {
      return broken(token);
    }
  };

  const fields = () => {
    const lines = new Map<string, number>();
    const field = () => {
      const token = take();
      const name = token.text.startsWith('"') ? String(value(token)) : broken(token);
      const first = lines.get(name);
      if (first) repeated.push(`line ${token.line}: a second "${name}"; the first: line ${first}`);
      lines.set(name, token.line);
      expect(':');
      return [name, value()] as const;
    };
    return Object.fromEntries(items('}', field));
  };

  function* items<T>(end: string, read: () => T): Generator<T> {
    if (accept(end)) return;
    do yield read();
    while (accept(','));
    expect(end);
  }

  const content = value();
  expect('');
  if (repeated.length > 0) throw new ContentError(repeated);
  return content;
}

/** All but white space; an empty one marks the end. */
function* tokensOf(json: string): Generator<Token> {
  let line = 1;
  for (const [text] of json.matchAll(TOKEN)) {
    if (!/^[\t\n\r ]/.test(text)) yield { text, line };
    line += text.split('\n').length - 1;
  }
  yield { text: '', line };
}

const broken = ({ line }: Token): never =>
  fail(
    `line ${line}`,
    'not JSON; is a comma, quote or bracket missing or too many, here or just before?',
  );
