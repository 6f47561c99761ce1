/** What the doctor says of one thing that it has looked at. */

export type Finding = {
  /** What was looked at: `node`, `settings`, `snapshot`, … */
  readonly check: string;
  readonly ok: boolean;
  /** What was found, in one line. */
  readonly message: string;
  /** What to do about it; `null` where all is well. */
  readonly remedy: string | null;
};

/** Findings of one check. */
export const about = (check: string) => ({
  well: (message: string): Finding => ({ check, ok: true, message, remedy: null }),
  fault: (message: string, remedy: string): Finding => ({ check, ok: false, message, remedy }),
});

/** The message of whatever was thrown, or the code where a network error has no message. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
