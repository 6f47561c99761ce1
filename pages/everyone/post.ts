/** Posts to the service, asks it who is logged in, and explains a failed post in plain words. */
import type { MeReply } from '../../lib/records.ts';
import { sentence } from './words.ts';

/** Longer than the timeouts of the service, in ms. */
export const REPLY_TIMEOUT = 15_000;

/** Aborts after the timeout, also while the body is read. Safari 15 lacks `AbortSignal.timeout`. */
function request(path: string, init?: RequestInit): Promise<Response> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), REPLY_TIMEOUT);
  return fetch(path, { ...init, signal: controller.signal });
}

/** @returns the reply, or `undefined` if there is none or it is unreadable */
export async function post(path: string, body?: object): Promise<Response | undefined> {
  try {
    const response = await request(path, {
      method: 'POST',
      // The request is completed even if the page is left.
      keepalive: true,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (response.ok) await response.json();
    return response;
  } catch {
    return undefined;
  }
}

/**
 * Asks who is logged in in this browser.
 *
 * @returns `undefined` without a session
 * @throws if there is no reply or it is unreadable
 */
export async function currentVisitor(): Promise<MeReply | undefined> {
  const response = await request('/auth/me');
  if (response.status === 401) return undefined;
  if (!response.ok) throw new Error(`/auth/me: ${response.status}`);
  const visitor = await response.json();
  if (typeof visitor?.email !== 'string') throw new Error('/auth/me: no visitor');
  return visitor;
}

/** Says why a post failed, and what to do. */
export function explain(response: Response | undefined): string {
  if (!response) return sentence('offline');
  const minutes = Math.ceil(Number(response.headers.get('Retry-After')) / 60);
  if (response.status !== 429 || !(minutes > 0)) return sentence('unavailable');
  const { lang } = document.documentElement;
  const inMinutes = new Intl.RelativeTimeFormat(lang).format(minutes, 'minute');
  return sentence('tooManyAttempts', { inMinutes });
}
