/** Folds long logs in narrow windows (cards.css) until their button or a link opens them. */
import { find } from './elements.ts';

export function unfold(section: Element | null, open = true): void {
  if (!section?.matches('.fold')) return;
  section.classList.toggle('open', open);
  const button = find('.unfold', HTMLButtonElement, section);
  button.ariaExpanded = String(open);
  button.textContent = open ? 'Hide' : 'Show';
}

for (const section of document.querySelectorAll('.fold')) {
  const button = find('.unfold', HTMLButtonElement, section);
  button.addEventListener('click', () => unfold(section, button.ariaExpanded === 'false'));
}

const unfoldTarget = () => unfold(document.querySelector('.fold:target'));
addEventListener('hashchange', unfoldTarget);
unfoldTarget();
