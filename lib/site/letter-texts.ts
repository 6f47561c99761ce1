/** The owner's texts for letters. They may have `{firstName}`, `{email}`, `{title}`, `{address}`. */
export type LetterTexts = {
  readonly title: string;
  /** Whether guests would see the sample, because the owner has no site yet. */
  readonly isSample: boolean;
  readonly publicOrigin: string;
  readonly invitation: string;
  readonly reminder: string;
  /** The subject of an invitation. */
  readonly subject: string;
  readonly reminderSubject: string;
};
