/** The owner's texts for letters. They may have `{firstName}`, `{email}`, `{title}`, `{address}`. */
export type LetterTexts = {
  readonly title: string;
  readonly publicOrigin: string;
  readonly invitation: string;
  readonly reminder: string;
  /** The subject of an invitation. */
  readonly subject: string;
  readonly reminderSubject: string;
};
