/**
 * Finds what can run a script in an SVG. In doubt it warns. It does not protect anybody: the policy
 * of the reply keeps browsers from running a script.
 */
import { MAX_PICTURE } from '../../site/site-files.ts';
import type { ServedFile } from './served-file.ts';

/**
 * Scripts, and elements that show other documents: `<svg:script href="a.js"/>`, not `<scripts>`.
 */
const ELEMENT = /<(?:[^\s<>/]*:)?(script|foreignObject|iframe|object|embed)(?=[\s/>])/gi;

/** An event handler: `<g onclick = "…">`, not `<text>one = 1</text>`. */
const HANDLER = /[\s"'/](on[a-z]+)\s*=\s*["']/gi;

/** A link to a script, also in a list: `"a; javascript:b"`, not `JavaScript: a guide`. */
const LINK = /["';]\s*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i;

/**
 * A style sheet that builds another document: `<?xml-stylesheet href="a.xsl"?>`, not `text/css`.
 */
const STYLE_SHEET = /<\?xml-stylesheet(?![^<>]*\stype\s*=\s*["']text\/css["'])/i;

/** A namespace, as Illustrator writes it: `<!ENTITY ns_svg "http://www.w3.org/2000/svg">`. */
const NAMESPACE = /<!ENTITY\s+[\w.-]+\s+"https?:\/\/[^"<>&%]*"\s*>/g;

/** A declaration that adds elements or attributes: `<!ENTITY a "<b/>">`, not `<!DOCTYPE svg>`. */
const DECLARATION = /<!(ENTITY|ATTLIST)/g;

/** `&#106;` or `&#x6a;`, not `&amp;`. */
const CHARACTER_REFERENCE = /&#(?:x([\da-f]+)|(\d+));/gi;

/** @returns a sentence without its subject, the file */
export function describeScripts({ svg, size }: ServedFile): string | undefined {
  if (svg !== '' && size > MAX_PICTURE) return 'was not searched for scripts; the most is 20 MB';
  const found = findScripts(svg).join(', ');
  if (found === '') return undefined;
  const remedy = 'browsers are told not to run it; save the picture without it';
  return `has ${found}, which may run a script; ${remedy}`;
}

/** @returns names of elements, attributes and declarations, and `javascript:` */
export function findScripts(svg: string): readonly string[] {
  const found = [
    ...namesIn(svg, ELEMENT).map((name) => `<${name}>`),
    ...namesIn(svg, HANDLER),
    ...namesIn(svg.replace(NAMESPACE, ''), DECLARATION).map((name) => `<!${name}>`),
  ];
  if (LINK.test(svg.replace(CHARACTER_REFERENCE, toCharacter))) found.push('javascript:');
  if (STYLE_SHEET.test(svg)) found.push('<?xml-stylesheet?>');
  return [...new Set(found)];
}

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name);

/** The character of a reference. Characters after the first 65,536 are left out. */
function toCharacter(_: string, hexadecimal: string | undefined, decimal = ''): string {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code <= 0xffff ? String.fromCharCode(code) : '';
}
