/** The link to send to an invited person. The browser runs this file too. */

/**
 * The entry page fills in the address of the link's fragment, which browsers do not send. A `!` is
 * encoded, because a raw one at the beginning was added on the way.
 */
export const linkTo = (publicOrigin: string, email: string): string =>
  `${publicOrigin}/#${encodeURIComponent(email).replace('%40', '@').replaceAll('!', '%21')}`;
