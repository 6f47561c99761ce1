/** Types of the JSON reply, for the service and the page. */
import type { WithReadable } from '../../records.ts';

/** A person in a list, or a line with a mistake. */
export type InviteLine = {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The line, or the person's part of it. */
  readonly text: string;
  /** As stored; empty if the address is invalid. */
  readonly email: string;
  readonly firstName: string | null;
  /** `renames`: invited under another first name, which stays. */
  readonly status: 'new' | 'invited' | 'renames' | 'refused';
  /** The code of the mistake if it is refused; `twice` if an earlier line has the address. */
  readonly reason: string | null;
  /** The domain that was probably meant, such as `gmail.com`. */
  readonly suggestion: string | null;
};

/** `POST /api/svcops/invites/many` */
export type InviteManyReply = {
  readonly lines: readonly WithReadable<InviteLine>[];
  /** The headings of columns that are not read. */
  readonly ignored: readonly string[];
  /** A sentence about first names that may be wrong. */
  readonly warning: string | null;
  /** The number of invites that were written. */
  readonly added: number;
};
