/**
 * The timeline: records join clicks, plays short films, and logs out. Every visitor can load the
 * files of `invitees/`, so they must not mention the administrators' page.
 */
import { find, firstName, ownEmail, request, write } from '../everyone/shared.ts';

const name = find('#name', HTMLElement);
const toJoin = find('.to-join', HTMLElement);
const notice = find('#notice', HTMLElement);
const message = find('#message', HTMLElement);
const answerHeadline = find('#answer h2', HTMLElement);
const join = find('#join', HTMLButtonElement);
const logout = find('#logout', HTMLButtonElement);

/** An attribute of the page that the store knew; the style sheet shows the answer if it is there. */
const hasJoined = (): boolean => document.body.hasAttribute('data-joined');

/** The service counts no press for anybody else, who may have logged in in another tab. */
const own = encodeURI(ownEmail ?? '');

join.addEventListener('click', async () => {
  write(message, 'sending');
  const response = await request('/api/project-join', {
    method: 'POST',
    headers: { 'X-Guest': own },
  });
  // The entry page says that the press was not counted, then leads back here.
  if (response?.status === 401) return location.replace(`/?uncounted#${own}`);
  if (!response) return write(message, 'maybeNotRecorded');
  if (!response.ok) return write(message, 'notRecorded');
  if (hasJoined()) return write(message, 'recorded');
  message.replaceChildren();
  document.body.setAttribute('data-joined', '');
  nameButtons();
});

function nameButtons(): void {
  if (!hasJoined()) return;
  write(join, 'joinAgain');
  write(toJoin, 'joinedShort');
}

logout.addEventListener('click', async () => {
  const response = await request('/auth/logout', { method: 'POST' });
  if (response?.ok) location.replace('/?left');
  else write(notice, 'notLoggedOut');
});

/** Short silent films play while they are in view. */
const inView = new IntersectionObserver(
  (changes) => {
    for (const { isIntersecting, target } of changes) {
      if (!(target instanceof HTMLVideoElement)) continue;
      if (!isIntersecting) target.pause();
      // Browsers may refuse, for example to save power.
      else target.play().catch(() => undefined);
    }
  },
  { threshold: 0.5 },
);
if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
  for (const film of document.querySelectorAll('[loop]')) inView.observe(film);

if (firstName !== undefined) {
  write(name, 'welcome', { firstName });
  write(answerHeadline, 'joined', { firstName });
}
nameButtons();
join.disabled = false;
logout.disabled = false;
