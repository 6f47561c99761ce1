/**
 * All sentences of the entry page and the timeline, in English. `words` in content.json replaces any
 * of them.
 */

/** Sentences of the templates. */
const TEMPLATE_WORDS = {
  addressLabel: 'Your email address',
  enter: 'Enter',
  seePreview: 'See the preview',
  stillLoading: 'Still loading. If nothing happens, reload the page.',
  entryNeedsScript:
    'This page needs JavaScript and cookies. Allow both for this site and reload the page.',
  cardDescription: 'A door ajar, with light behind it.',
  loadingShort: 'Still loading…',
  logOut: 'Log out',
  dates: 'Dates',
  leftArrow: 'Left',
  rightArrow: 'Right',
  toBrowse: 'to browse',
  toTheEnd: 'Skip to the end',
  timelineNeedsScript:
    'JavaScript is off. You can read this page, but the buttons to join and to log out don’t ' +
    'work. Allow JavaScript for this site and reload the page.',
};

const UNAVAILABLE = 'The site is temporarily unavailable. Please try again in a moment.';

const WELCOME = 'Welcome, {firstName}.';

/** Sentences of each page's scripts. The entry page must not contain those of the timeline. */
export const SCRIPT_WORDS = {
  entry: {
    unavailable: UNAVAILABLE,
    offline: 'The site couldn’t be reached. Check your connection and try again.',
    tooManyAttempts:
      'Too many attempts from this network. Try again {inMinutes}, or use a different network.',
    notAnAddress: 'Enter a full email address, like name@example.com.',
    checking: 'Checking the guest list…',
    notInvited: '{email} isn’t on the guest list. Try the address your invitation was sent to.',
    cookieNotKept:
      'You’re on the guest list, but your browser blocked the cookie that lets you in. ' +
      'Allow cookies for this site and try again.',
    needsHttps: 'This page needs a secure connection. Open it with https.',
    welcome: WELCOME,
    welcomeNameless: 'Welcome.',
    welcomeBack: 'Welcome back, {firstName}.',
    welcomeBackNameless: 'Welcome back.',
    notYou: 'Not {who}? Use another address',
    sessionEnded: 'Your session has ended. Enter your address to continue.',
    loggedOut: 'You’re logged out.',
    notCounted:
      'Your session ended, so that wasn’t counted. Enter your address, then press once more.',
  },
  timeline: {
    unavailable: UNAVAILABLE,
    welcome: WELCOME,
    sending: 'Sending…',
    joined: 'You’re in, {firstName}.',
    joinedNameless: 'You’re in.',
    joinedShort: 'Joined',
    joinAgain: 'Say yes again',
    recorded: 'Counted again. Thank you.',
    notRecorded: 'That didn’t go through.',
    maybeNotRecorded:
      'We couldn’t confirm that. Check your connection and press again. Twice is fine.',
    loggingOut: 'Logging out…',
    stillLoggedIn: 'You’re still logged in.',
    maybeLoggedIn:
      'We couldn’t confirm that you’re logged out. Check your connection and try again.',
    picturesEnded: 'Your session has ended, so pictures can’t load.',
    logInAgain: 'Log in again',
  },
};

export const DEFAULT_WORDS = { ...TEMPLATE_WORDS, ...SCRIPT_WORDS.entry, ...SCRIPT_WORDS.timeline };

/**
 * The letters that administrators send: to invited people, and to those who have not joined yet.
 */
export const DEFAULT_LETTERS = {
  invitation: `Hello {firstName},

You’re invited to a private preview of {title}:
{address}

Your email address, {email}, is already filled in. You don’t need a password.

See you there,
{title}`,
  reminder: `Hello {firstName},

Your invitation to the private preview of {title} is still open:
{address}

Your email address, {email}, is already filled in. You don’t need a password.

See you there,
{title}`,
  subject: 'Your invitation to {title}',
  reminderSubject: 'Reminder: your invitation to {title}',
};
