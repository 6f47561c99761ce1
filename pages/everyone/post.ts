/** Posts to the service, and asks it who is logged in and whether this person has joined. */
import type { MeReply } from '../../lib/routes/replies.ts';

/** Longer than the timeouts of the service, in ms. */
const REPLY_TIMEOUT = 15_000;

/** Aborts after the timeout, also while the body is read. Safari 15 lacks `AbortSignal.timeout`. */
function request(path: string, init?: RequestInit): Promise<Response> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), REPLY_TIMEOUT);
  return fetch(path, { ...init, signal: controller.signal });
}

/** @returns the reply; `undefined` if there is none or it is unreadable */
export async function post(path: string, body?: object): Promise<Response | undefined> {
  try {
    const response = await request(path, {
      method: 'POST',
      // The request is completed even if the visitor leaves the page.
      keepalive: true,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (response.ok) await response.clone().json();
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

/** Whether the visitor has joined. If the reply is unusable, the page still asks the question. */
export async function hasJoined(): Promise<boolean> {
  try {
    const response = await request('/api/project-join');
    return response.ok && (await response.json()).joined === true;
  } catch {
    return false;
  }
}
