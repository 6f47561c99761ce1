/** Keys: `/` goes to the search, arrows go from row to row in tables. */
import { find } from './elements.ts';

const search = find('#people-text', HTMLInputElement);

document.addEventListener('keydown', (event) => {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || !(target instanceof HTMLElement)) return;
  const isTyping = target.closest('input, textarea, select, dialog');
  const row = target.matches('td .person') ? target.closest('tr') : null;
  const next = key === 'ArrowDown' && row?.nextElementSibling;
  const former = key === 'ArrowUp' && row?.previousElementSibling;
  const link = (next || former || undefined)?.querySelector<HTMLElement>('.person');
  const wanted = key === '/' && !isTyping ? search : link;
  if (!wanted) return;
  event.preventDefault();
  wanted.focus();
});
