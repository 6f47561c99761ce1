/** Keys: `/` goes to the search, arrows go from row to row in tables. */
import { find } from './elements.ts';

const search = find('#people-text', HTMLInputElement);

document.addEventListener('keydown', (event) => {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || !(target instanceof HTMLElement)) return;
  const wanted = key === '/' ? searchFrom(target) : nextRow(target, key);
  if (!wanted) return;
  event.preventDefault();
  wanted.focus();
});

const searchFrom = (from: HTMLElement): HTMLElement | undefined =>
  from.closest('input, textarea, select, dialog') ? undefined : search;

/** The link in the row above or below that of a focused link. */
function nextRow(from: HTMLElement, key: string): HTMLElement | null | undefined {
  const row = from.matches('td .person') ? from.closest('tr') : null;
  if (key === 'ArrowDown') return row?.nextElementSibling?.querySelector<HTMLElement>('.person');
  if (key === 'ArrowUp') return row?.previousElementSibling?.querySelector<HTMLElement>('.person');
  return undefined;
}
