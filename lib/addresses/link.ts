/** The link to send to an invited person. The browser runs this file too. */

/**
 * The address is in the fragment of the link, which browsers do not send. The entry page reads it
 * from there. A `!` is encoded, because a raw one at the beginning was added by another program.
 */
export const linkTo = (publicOrigin: string, email: string): string =>
  `${publicOrigin}/#${encodeURIComponent(email).replace('%40', '@').replaceAll('!', '%21')}`;
