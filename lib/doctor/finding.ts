/** The results of the doctor's checks. */

export type Finding = {
  /** The name of the check: `node`, `settings`, `snapshot`, … */
  readonly check: string;
  readonly ok: boolean;
  /** One line. */
  readonly message: string;
  /** How to repair a fault; `null` if there is none. */
  readonly remedy: string | null;
};

/** The result of a check: a message, or a fault. */
export type Result = string | { readonly message: string; readonly remedy: string };

export const fault = (message: string, remedy: string): Result => ({ message, remedy });

export const finding = (check: string, result: Result): Finding =>
  typeof result === 'string'
    ? { check, ok: true, message: result, remedy: null }
    : { check, ok: false, ...result };

/** The message of an error, or the code of a network error without a message. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
