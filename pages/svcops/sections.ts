/** The header's links to sections: which section is in view, and addresses that name one. */
import { find } from './elements.ts';

const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
const header = find('body > header', HTMLElement);

/** A section is in view once it begins in this upper part of the window. */
const UPPER_PART = 1 / 4;

const sectionOf = (link: HTMLAnchorElement): HTMLElement => find(link.hash, HTMLElement);

/** Marks the last section that begins above a line of the window. */
function markCurrent(): void {
  const visible = links.filter((link) => sectionOf(link).offsetParent !== null);
  const line = scrollY === 0 ? 0 : Math.max(header.offsetHeight + 24, innerHeight * UPPER_PART);
  const begun = visible.filter((link) => sectionOf(link).getBoundingClientRect().top <= line);
  let current = begun.at(-1) ?? visible[0];
  // At the end of the page several sections are in view, and the line reaches only the first.
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2;
  if (isAtEnd) current = visible.find(isAsked) ?? visible.at(-1);
  for (const link of links) link.ariaCurrent = link === current ? 'true' : null;
}

/** Whether the address names the section of a link, and its beginning is in the window. */
function isAsked(link: HTMLAnchorElement): boolean {
  const { top } = sectionOf(link).getBoundingClientRect();
  return link.hash === location.hash && top >= 0 && top < innerHeight;
}

let isWaiting = false;

/** Once a frame, because a scroll has many events. */
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
// Sections also move when lists fill.
new ResizeObserver(markSoon).observe(document.body);

/** What a person does to move through the page. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

let hasMoved = false;
const noteMove = () => {
  hasMoved = true;
};
for (const move of MOVES) addEventListener(move, noteMove, { once: true });

/**
 * Scrolls to the section that the address names, when the lists have filled. A person who has moved
 * since the page was opened stays where they are, as does one who reloads or comes back.
 */
export function arrive(): void {
  const id = location.hash.slice(1);
  const section = /^\w+$/.test(id) ? document.getElementById(id) : null;
  if (section === null || hasMoved || history.state !== null) return;
  section.scrollIntoView({ behavior: 'instant' });
  // With this state, a reload or a way back in the history does not scroll again.
  history.replaceState('arrived', '');
}
