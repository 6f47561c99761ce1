/** The end of the bench by Ctrl-C or SIGTERM: the load stops, and every part removes what it made. */

export class InterruptedError extends Error {}

const controller = new AbortController();

export const interrupted = controller.signal;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => controller.abort(new InterruptedError('interrupted')));
}
