/** Fills HTML templates: `{{name}}` is text, `{{#name}}…{{/name}}` a section for each item. */

export type View = {
  readonly [name: string]: string | number | boolean | View | readonly View[] | undefined;
};

/**
 * Renders a template. Text is escaped. A section of `undefined` or `false` is left out; inside a
 * section the names of its item hide those outside. @throws for a name that the view lacks
 */
export function fillTemplate(template: string, view: View): string {
  return template
    .replace(/\{\{#(\w+)\}\}([\s\S]*?)\{\{\/\1\}\}/g, (_, name: string, inner: string) => {
      const value = lookUp(view, name);
      const items = value === undefined || value === false ? [] : [value].flat();
      return items
        .map((item) => fillTemplate(inner, typeof item === 'object' ? { ...view, ...item } : view))
        .join('');
    })
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(String(lookUp(view, name) ?? '')));
}

function lookUp(view: View, name: string) {
  if (!(name in view)) throw new Error(`the template names {{${name}}}, which is unknown`);
  return view[name];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
};

/** Escapes text for HTML and quoted attributes; braces too, which begin a template name. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'{]/g, (char) => ENTITIES[char] ?? char);
