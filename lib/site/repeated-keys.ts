/** Finds fields that are written twice. `JSON.parse` keeps the last one and says nothing. */

/** A text, a bracket or a line break: `"a\"b"`, `{`, not `12`. A text before a colon is a key. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]|\r\n?|\n/g;

/** @param json a text that `JSON.parse` accepts. @returns a sentence each */
export function findRepeatedKeys(json: string): readonly string[] {
  const repeated: string[] = [];
  /** The names of each open object. A list has none. */
  const open: Set<string>[] = [];
  let line = 1;
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (text === undefined) line += 1;
    else if (colon !== undefined) {
      const name: string = JSON.parse(text);
      const names = open.at(-1);
      if (names?.has(name))
        repeated.push(`line ${line}: "${name}" is written twice; only the last one counts`);
      names?.add(name);
      line += colon.match(/\r\n?|\n/g)?.length ?? 0;
    }
  }
  return repeated;
}
