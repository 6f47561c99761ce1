/** The links to lists as CSV files. */
import { check } from '../../api.ts';
import { element } from '../../elements.ts';
import { report } from '../../live.ts';

// Asks first whether the service would send the file. Browsers do not say why a download fails, for
// example because the session has ended.
document.addEventListener('click', (event) => {
  const { target } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[download]') : null;
  // If one of these keys is pressed, the browser opens the link in a tab or window.
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const copy = exportLink(link.href, '');
  // The copy is not in the page, so its click does not reach this listener.
  check(link.href).then(() => copy.click(), report);
});

export function exportLink(url: string, words: string): HTMLAnchorElement {
  const link = element('a', '', words);
  link.href = url;
  link.download = '';
  return link;
}

/** Puts the link above a list, or changes it. Without rows, it is hidden. */
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
