/**
 * The owner's texts for letters. They stay fields of content.json even without the extra that
 * writes letters. Otherwise a site would become invalid when the extra is deleted.
 */

/** They may have `{firstName}`, `{email}`, `{title}`, `{address}`. */
export type LetterFields = {
  readonly invitation: string;
  readonly reminder: string;
  /** The subject of an invitation. */
  readonly subject: string;
  readonly reminderSubject: string;
};

/** The text may contain their placeholders. */
export type LetterTexts = LetterFields & {
  readonly title: string;
  /** Whether guests would see the sample, because the owner has not made a site. */
  readonly isSample: boolean;
  readonly publicOrigin: string;
};
