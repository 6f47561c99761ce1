/**
 * Plays short silent videos while they are in view, but never for visitors who prefer less motion.
 * A visitor can pause them by their controls, and they stay paused. Without this script, they do
 * not play until the visitor starts them.
 */
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const loops = [...document.querySelectorAll<HTMLVideoElement>('.loop')];
/** Videos that this script may start: they do not play, and the visitor has not paused them. */
const ready = new Set(loops);

function start(video: HTMLVideoElement): void {
  if (calm.matches || !ready.has(video)) return;
  ready.delete(video);
  // Browsers may refuse, for example to save power. The video can be started later.
  video.play().catch(() => ready.add(video));
}

function rest(video: HTMLVideoElement): void {
  if (video.paused) return;
  video.pause();
  ready.add(video);
}

const sight = new IntersectionObserver(
  (changes) => {
    for (const { isIntersecting, target } of changes) {
      const video = loops.find((each) => each === target);
      if (!video) continue;
      if (isIntersecting) start(video);
      else rest(video);
    }
  },
  { threshold: 0.5 },
);
for (const video of loops) {
  video.loop = true;
  video.muted = true;
  sight.observe(video);
}
