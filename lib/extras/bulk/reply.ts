/** Types of the JSON reply, for the service and the page. */
import type { WithReadable } from '../../records.ts';
import type { ReadColumns } from './reading.ts';

/** A person in a list, or a line with a mistake. */
export type InviteLine = {
  /** The number of the row, as a spreadsheet counts it, from 1. */
  readonly line: number;
  /** The cell of the address, at most 200 characters; the whole row if that cell is not known. */
  readonly text: string;
  /** As stored; empty if the address is invalid. */
  readonly email: string;
  readonly firstName: string | null;
  /** Whether somebody should check the first name of a new person. */
  readonly isDoubtful: boolean;
  /** `renames`: the person is invited under another first name, which stays. */
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
  /** The headings whose columns were read; `null` without one. */
  readonly read: ReadColumns;
  /** The number of rows without an address. They are not mistakes. */
  readonly withoutAddress: number;
  /** Sentences about what the administrator should check. Those about first names come first. */
  readonly warning: string | null;
  /** The number of invites that were written. */
  readonly added: number;
};
