/** The links to lists as CSV files. */
import { element } from '../../elements.ts';

/** Puts the link into the head of a list, or changes the one that is there. */
export function showExport(list: HTMLElement, url: string): void {
  let link = list.querySelector<HTMLAnchorElement>('.export');
  if (!link) {
    link = element('a', 'export', 'Export CSV');
    link.download = '';
    list.querySelector('.filters, .head')?.append(link);
  }
  link.href = url;
}
