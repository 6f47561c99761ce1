/** Reads the first element of an SVG, as browsers do: its name, and its size. */
import type { Size } from './image-size.ts';

/** Judged by the name of the file, because its Content-Type follows from the name. */
export const isSvg = (name: string): boolean => /\.svg$/i.test(name);

/** Without this namespace, a browser does not know the elements and shows a broken picture. */
export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** The first element, with its attributes by name. */
export type FirstElement = {
  /** `svg`, also with a prefix: `svg:svg`. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
};

/** UTF-16 begins with a byte order mark. All other files are read as UTF-8. */
export function decodeSvg(file: Buffer): string {
  const mark = file.toString('hex', 0, 2);
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(file);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(file);
  return new TextDecoder().decode(file);
}

/** `<svg`, `<svg:svg` and `<html`, not `</svg` and not `<?xml`. */
const BEGIN = /<([\w:.-]+)/y;

/** `width="12"` and `svg:width = '12'`, not `width=12`. */
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** @returns `undefined` if no element begins where one should */
export function readFirstElement(svg: string): FirstElement | undefined {
  BEGIN.lastIndex = endOfProlog(svg);
  const name = BEGIN.exec(svg)?.[1];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = BEGIN.lastIndex;
  for (let found = ATTRIBUTE.exec(svg); found; found = ATTRIBUTE.exec(svg))
    attributes.set(found[1] ?? '', found[2] ?? found[3] ?? '');
  return { name, attributes };
}

/**
 * The position of the first element, after the declaration, comments and the DOCTYPE with its
 * subset.
 */
function endOfProlog(svg: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(svg.charAt(at))) at += 1;
    let end = -1;
    if (svg.startsWith('<?', at)) end = endOf(svg, '?>', at);
    else if (svg.startsWith('<!--', at)) end = endOf(svg, '-->', at);
    else if (svg.startsWith('<!DOCTYPE', at)) end = endOfDoctype(svg, at);
    if (end < 0) return at;
    at = end;
  }
}

/** The position after a mark; -1 without one. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

/** A subset of declarations stands in brackets: `<!DOCTYPE svg [ <!ENTITY a "]>"> ]>`. */
function endOfDoctype(svg: string, from: number): number {
  let isInSubset = false;
  let at = from;
  while (at >= 0 && at < svg.length) {
    const char = svg.charAt(at);
    if (char === '>' && !isInSubset) return at + 1;
    if (char === '"' || char === "'") {
      at = endOf(svg, char, at + 1);
    } else if (svg.startsWith('<!--', at)) {
      at = endOf(svg, '-->', at);
    } else {
      if (char === '[') isInSubset = true;
      if (char === ']') isInSubset = false;
      at += 1;
    }
  }
  return -1;
}

/** The size of the viewBox; without one, `width` and `height` in px. */
export function sizeOfSvg(svg: string): Size | undefined {
  const attributes = readFirstElement(svg)?.attributes;
  if (!attributes) return undefined;
  const viewBox = attributes.get('viewBox');
  if (viewBox !== undefined) return sizeOfViewBox(viewBox);
  const width = pixels(attributes.get('width'));
  const height = pixels(attributes.get('height'));
  return width === undefined || height === undefined ? undefined : { width, height };
}

/** `0 0 640 480`: the position of the corner, then the size. */
function sizeOfViewBox(viewBox: string): Size | undefined {
  const numbers = viewBox.trim().split(/[\s,]+/);
  if (numbers.length !== 4) return undefined;
  return { width: Number(numbers[2]), height: Number(numbers[3]) };
}

/** `640` and `640px`, not `100%` and not `12cm`. */
function pixels(length = ''): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(length);
  return found ? Number(found[1]) : undefined;
}

/** `<svg … />` at the end, perhaps with comments after it, not `<svg>`. */
const SELF_CLOSED_END = /\/>\s*(<!--|$)/;

/**
 * A picture in its own file: `<image href="photo.jpg"`, not `<image href="data:…"` or `"#a"`.
 */
const LINKED_PICTURE = /<(?:[\w-]+:)?image\s[^<>]*?\bhref\s*=\s*["'](?!\s*data:|#)([^"']+)/i;

/**
 * The address of a picture that the drawing links to. Browsers do not load it for an image.
 */
export const findLinkedPicture = (svg: string): string | undefined => LINKED_PICTURE.exec(svg)?.[1];

/**
 * A picture inside the drawing: `data:image/jpeg;base64,/9j/4AAQ…`, not `data:image/svg+xml`.
 */
const EMBEDDED_PICTURE = /data:image\/(?:jpe?g|png|webp);base64,([^"')]+)/gi;

/** The pictures inside the drawing. */
export function embeddedPictures(svg: string): readonly Buffer[] {
  const pictures: Buffer[] = [];
  for (const [, base64 = ''] of svg.matchAll(EMBEDDED_PICTURE)) {
    // Inkscape writes its line breaks as `&#10;`.
    const digits = base64.replace(/&#\w+;/g, '');
    pictures.push(Buffer.from(digits, 'base64'));
  }
  return pictures;
}

/**
 * Whether the last tag or the first element is not closed. Browsers show the part before it.
 */
export function isUnclosedSvg(svg: string): boolean {
  if (svg.lastIndexOf('<') > svg.lastIndexOf('>')) return true;
  const name = readFirstElement(svg)?.name ?? '';
  return !svg.includes(`</${name}`) && !SELF_CLOSED_END.test(svg);
}

/** Whether `&nbsp;` stops the drawing. Only HTML knows it. */
export const hasUnknownSpace = (svg: string): boolean =>
  svg.includes('&nbsp;') && !/<!ENTITY\s+nbsp\s/.test(svg);
