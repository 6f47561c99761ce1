/** The link to send to an invited person. The browser runs this file too. */

/** The entry page fills in the address of the link's fragment, which browsers do not send. */
export const linkTo = (publicOrigin: string, email: string): string =>
  `${publicOrigin}/#${encodeURIComponent(email).replace('%40', '@')}`;
