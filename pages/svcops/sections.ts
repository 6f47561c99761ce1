/**
 * The header's links to sections: marks the visible section, and scrolls to a section in the
 * address.
 */
import { find } from './elements.ts';

const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
const header = find('body > header', HTMLElement);

/** A section counts as visible if it begins in this upper part of the window. */
const UPPER_PART = 1 / 4;

const sectionOf = (link: HTMLAnchorElement): HTMLElement => find(link.hash, HTMLElement);

/** Marks the last section that begins above a line in the window. */
function markCurrent(): void {
  const visible = links.filter((link) => sectionOf(link).offsetParent !== null);
  const line = scrollY === 0 ? 0 : Math.max(header.offsetHeight + 24, innerHeight * UPPER_PART);
  const begun = visible.filter((link) => sectionOf(link).getBoundingClientRect().top <= line);
  let current = begun.at(-1) ?? visible[0];
  // At the end of the page, several sections are visible, and only the first begins above the line.
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2;
  if (isAtEnd) current = visible.find(isAsked) ?? visible.at(-1);
  for (const link of links) link.ariaCurrent = link === current ? 'true' : null;
}

/** Whether the address names the section of a link, and the section begins in the window. */
function isAsked(link: HTMLAnchorElement): boolean {
  const { top } = sectionOf(link).getBoundingClientRect();
  return link.hash === location.hash && top >= 0 && top < innerHeight;
}

let isWaiting = false;

/** At most once a frame, because a scroll has many events. */
function markSoon(): void {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    markCurrent();
  });
}

addEventListener('scroll', markSoon, { passive: true });
addEventListener('hashchange', markSoon);
// When lists fill, sections move too.
new ResizeObserver(markSoon).observe(document.body);

/** The events by which a person moves through the page. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

let hasMoved = false;
const noteMove = () => {
  hasMoved = true;
};
for (const move of MOVES) addEventListener(move, noteMove, { once: true });

/**
 * Scrolls to the section that the address names, after the lists have filled. The page does not
 * scroll if the person has moved, reloads, or comes back.
 */
export function arrive(): void {
  const id = location.hash.slice(1);
  const section = /^\w+$/.test(id) ? document.getElementById(id) : null;
  if (section === null || hasMoved || history.state !== null) return;
  section.scrollIntoView({ behavior: 'instant' });
  // Because of this state, a reload or a step back does not scroll again.
  history.replaceState('arrived', '');
}
