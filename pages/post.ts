/** Sends a POST to this site, and says in plain words why it came to nothing. */

/** Longer than the server takes to give up, in ms. */
const PATIENCE = 15_000;

/** @returns the reply, or `undefined` where none came */
export async function post(path: string, body?: object): Promise<Response | undefined> {
  try {
    return await fetch(path, {
      method: 'POST',
      // A press just before the page is left still arrives.
      keepalive: true,
      signal: AbortSignal.timeout(PATIENCE),
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    return undefined;
  }
}

/** Why a post came to nothing, and what to do. */
export function explain(response: Response | undefined): string {
  if (!response) return 'No connection. Please check it, then try again.';
  if (response.status === 429) return `Too many attempts. Please try again ${after(response)}.`;
  return 'The site is unavailable just now. Please try again in a moment.';
}

/** `Retry-After` in words, rounded up to minutes. */
function after(response: Response): string {
  const minutes = Math.ceil(Number(response.headers.get('Retry-After')) / 60);
  if (!(minutes > 0)) return 'later';
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
