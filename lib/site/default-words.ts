/** All sentences for visitors, in English. `words` in content.json replaces any of them. */

/** In the templates. */
const TEMPLATE_WORDS = {
  addressLabel: 'Your email address',
  enter: 'Enter',
  goOn: 'Go on to the preview',
  stillLoading: 'Still loading. If this stays here, please load the page again.',
  entryNeedsScript:
    'To let you in, this page needs JavaScript, and a cookie that remembers you. Please allow ' +
    'both for this site, then load the page again.',
  cardDescription: 'A door ajar, with light behind it.',
  loadingShort: 'Still loading…',
  viewMobile: 'View mobile layout',
  viewDesktop: 'View desktop layout',
  logOut: 'Log out',
  dates: 'Dates',
  leftKey: 'Left',
  rightKey: 'Right',
  keysMove: 'to move',
  timelineNeedsScript:
    'JavaScript is off. Without it you can read this page, but the buttons to join and to log ' +
    'out do not work. Please allow it for this site, then load the page again.',
};

/** In the scripts of both pages. */
const FAILED_REQUEST_WORDS = {
  offline: 'The site cannot be reached. Please check your connection, then try again.',
  unavailable: 'The site is unavailable just now. Please try again in a moment.',
  tooManyAttempts: 'Too many attempts. Please try again {inMinutes}.',
};

/** In the scripts of each page. The entry page must not contain those of the timeline. */
export const SCRIPT_WORDS = {
  entry: {
    ...FAILED_REQUEST_WORDS,
    notAnAddress: 'That is not an email address. It looks like name@example.com.',
    looking: 'Looking for you on the list…',
    notInvited: '{email} is not on the list. Is it the address that was invited?',
    cookieNotKept:
      'You are on the list, but your browser did not keep this site’s cookie, which remembers ' +
      'you. Please allow cookies for this site, then try again.',
    welcome: 'Welcome, {firstName}.',
    welcomeNameless: 'Welcome.',
    welcomeBack: 'Welcome back, {firstName}.',
    welcomeBackNameless: 'Welcome back.',
    sessionEnded: 'Your session has ended. Please enter your address again.',
    loggedOut: 'You are logged out.',
  },
  timeline: {
    ...FAILED_REQUEST_WORDS,
    recording: 'Recording…',
    joined: 'You’re on the list, {firstName}.',
    joinedNameless: 'You’re on the list.',
    recorded: 'Thank you. We know that you want to join.',
    recordedAgain: 'Thank you, {times} times over.',
    notRecorded: 'This press is not recorded.',
    maybeNotRecorded: 'This press may not be recorded.',
    otherVisitor: 'This browser is now logged in as {who}. Press the button to join as {who}.',
    loggingOut: 'Logging out…',
    stillLoggedIn: 'You are still logged in.',
    maybeLoggedIn: 'You may still be logged in.',
    picturesEnded: 'Your session has ended, so pictures no longer load.',
    logInAgain: 'Log in again',
  },
};

export const DEFAULT_WORDS = { ...TEMPLATE_WORDS, ...SCRIPT_WORDS.entry, ...SCRIPT_WORDS.timeline };

/** The letter to a newly invited person. Administrators copy and send it. */
export const INVITATION_TEXT = `Hello {firstName},

you are invited to a private preview of {title}:
{address}

Log in there with this address, {email}. There is no password.`;

/** The letter to an invited person who has not logged in. */
export const REMINDER_TEXT = `Hello {firstName},

your invitation to the private preview of {title} is still open:
{address}

Log in there with this address, {email}. There is no password.`;
