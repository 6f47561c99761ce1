/** A session that tests whether a guest could log in. It is deleted after the test. */
import { whileUsing } from '../../store/errors.ts';
import {
  type NewSession,
  SESSION_LIFETIME,
  type SessionWriter,
  sessionWriter,
} from '../../store/sessions.ts';
import { withDatabase } from '../../store/sqlite.ts';
import { storeFile } from '../../store/store-file.ts';

/** Nobody can be invited with this address. */
const NOBODY = 'doctor@guestlist.invalid';

/** How long the session is valid if an interruption leaves it, in ms. */
const TRIAL = 60_000;

/** How long to wait for a lock, in ms: as long as a request of a visitor. */
const BUSY_TIMEOUT = 5000;

/** Begins a session, as a login does. @throws {StoreError} if the store cannot be written */
export const beginTrialSession = (): NewSession =>
  withSessions(({ begin }) => begin(NOBODY, Date.now() + TRIAL - SESSION_LIFETIME));

/** @throws {StoreError} */
export const endTrialSession = ({ id }: NewSession): void =>
  withSessions(({ end }) => end({ id, email: NOBODY }));

/** Opens the store as it is, without a migration and without a change of the journal mode. */
function withSessions<T>(use: (sessions: SessionWriter) => T): T {
  const options = { fileMustExist: true, timeout: BUSY_TIMEOUT };
  return whileUsing(storeFile, () =>
    withDatabase(storeFile, options, (db) => use(sessionWriter(db, () => undefined))),
  );
}
