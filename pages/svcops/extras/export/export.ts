/** The links to lists as CSV files. */
import { element } from '../../elements.ts';

export function exportLink(url: string, words: string): HTMLAnchorElement {
  const link = element('a', '', words);
  link.href = url;
  link.download = '';
  return link;
}

/** Puts the link into the head of a list, or changes the one that is there. Without rows, none is shown. */
export function showExport(list: HTMLElement, url: string, hasRows: boolean): void {
  let link = list.querySelector<HTMLAnchorElement>('.export');
  if (!link) {
    link = exportLink(url, 'Export CSV');
    link.className = 'export';
    list.querySelector('.filters, .head')?.append(link);
  }
  link.href = url;
  link.hidden = !hasRows;
}
