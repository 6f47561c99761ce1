/** Everything that the server writes: jobs for the commit queue, each of which is done as a whole or not at all. */
import type { Device } from '../device.ts';
import type { View } from './events.ts';
import type { Resources } from './open.ts';
import type { Session } from './sessions.ts';

export type Login = {
  readonly email: string;
  readonly device: Device;
  /** Epoch ms. */
  readonly now: number;
  /** The session that the visitor had before, if any. */
  readonly former: string | undefined;
};

/**
 * Ends the session that the visitor had, begins a new one and records the login.
 *
 * @returns the new session's token, or `undefined` where the invite has been removed meanwhile
 */
export function logIn(
  { invites, sessions, events }: Resources,
  { email, device, now, former }: Login,
): string | undefined {
  if (!invites.find(email)) return undefined;
  if (former !== undefined) sessions.end(former);
  const { session, token } = sessions.begin(email, now);
  const { type: deviceType, os, browser } = device;
  const who = { email, session: session.id, deviceType, os, browser };
  events.record({ ...who, type: 'login', occurredAt: now, meta: null });
  return token;
}

/** Epoch ms `now`, and what is known of who views. */
export type Viewing = { readonly device: Device; readonly now: number; readonly meta: View };

/** @returns false, and records nothing, where the session has been ended meanwhile */
export function recordView(
  { sessions, events }: Resources,
  { id, email }: Session,
  { device, now, meta }: Viewing,
): boolean {
  if (!sessions.exists(id)) return false;
  const { type: deviceType, os, browser } = device;
  const who = { email, session: id, deviceType, os, browser };
  events.record({ ...who, type: 'timeline_view', occurredAt: now, meta });
  return true;
}

/**
 * @param now epoch ms
 * @returns false, and records nothing, where the session has been ended meanwhile
 */
export function recordJoin(
  { sessions, joins }: Resources,
  { id, email }: Session,
  now: number,
): boolean {
  if (!sessions.exists(id)) return false;
  joins.record({ email, session: id, clickedAt: now });
  return true;
}
