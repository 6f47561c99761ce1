/**
 * The owner's texts for letters. They are fields of content.json like all others, with the extra
 * that writes letters and without it: a site must not become wrong because an extra is deleted.
 */

/** They may have `{firstName}`, `{email}`, `{title}`, `{address}`. */
export type LetterFields = {
  readonly invitation: string;
  readonly reminder: string;
  /** The subject of an invitation. */
  readonly subject: string;
  readonly reminderSubject: string;
};

/** With what the texts name. */
export type LetterTexts = LetterFields & {
  readonly title: string;
  /** Whether guests would see the sample, because the owner has no site yet. */
  readonly isSample: boolean;
  readonly publicOrigin: string;
};
