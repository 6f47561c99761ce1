/** Finds the line on which a text stops being JSON; `JSON.parse` names a place only sometimes. */

/** The first line, from 1, up to which the text cannot begin a JSON value; else its last line. */
export function brokenLine(text: string): number {
  const lines = text.trimEnd().split('\n');
  const index = lines.findIndex((_, i) => isBroken(`${lines.slice(0, i + 1).join('\n')}\n`));
  return index < 0 ? lines.length : index + 1;
}

/** Whether JSON.parse fails before the end of the text. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = / at position (\d+)/.exec(message)?.[1];
    return position ? Number(position) < text.length : !message.includes('Unexpected end');
  }
}
