/** The rail of the wide layout. It marks the current date, and arrow keys move along it. */

const links = [...document.querySelectorAll<HTMLAnchorElement>('.rail a')];
/** The stops of the arrow keys: every entry, and the call to join. */
const stops = [...document.querySelectorAll<HTMLElement>('.desktop :is(article, .join)')];

/** With more entries, the rail names only the current one, because 720 px have no room for all. */
const MAX_NAMED = 14;
/** The last link leads to the question. */
if (links.length - 1 <= MAX_NAMED) document.querySelector('.rail')?.classList.add('named');

const topOf = (stop: HTMLElement): number => stop.getBoundingClientRect().top;

/** The index of the last stop that begins above the middle of the window; -1 if there is none. */
function currentStop(): number {
  return stops.filter((stop) => topOf(stop) < innerHeight / 2).length - 1;
}

/**
 * The index of the stop from which an arrow key moves: the one to which such a key has led, unless
 * the visitor has scrolled away. In a tall window a second stop may begin above the middle.
 */
function stopToMoveFrom(): number {
  const led = stops.find((stop) => stop === document.activeElement);
  if (led && Math.abs(topOf(led)) < innerHeight / 2) return stops.indexOf(led);
  return currentStop();
}

function markCurrentDate(): void {
  const current = Math.min(Math.max(currentStop(), 0), links.length - 1);
  for (const [i, link] of links.entries()) {
    const wasCurrent = link.hasAttribute('aria-current');
    if (i !== current) {
      link.removeAttribute('aria-current');
    } else if (!wasCurrent) {
      link.setAttribute('aria-current', 'true');
      keepInSight(link);
    }
  }
}

/** Scrolls a rail that is longer than the window, without scrolling the page. */
function keepInSight(link: HTMLElement): void {
  const rail = link.closest('.rail');
  rail?.scrollTo({ top: link.offsetTop - rail.clientHeight / 2 });
}

// Called when the top of a stop crosses the middle of the window, also by a jump over several: what
// is observed is everything above the middle, as far as a page can be long.
const upperPart = new IntersectionObserver(markCurrentDate, {
  rootMargin: '1000000px 0px -50% 0px',
});
for (const stop of stops) upperPart.observe(stop);

/** The arrow key that points along the direction of reading moves on. */
const along = document.documentElement.dir === 'rtl' ? -1 : 1;

// Left and right move between entries. The page never scrolls sideways, so these keys are free.
addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = { ArrowLeft: -along, ArrowRight: along }[event.key];
  // If a video has the focus, these keys move within the video.
  if (!step || event.target instanceof HTMLVideoElement) return;
  const next = stops[stopToMoveFrom() + step];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ behavior: 'instant', block: 'start' });
});
