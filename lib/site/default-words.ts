/** All sentences for visitors, in English. `words` in content.json replaces any of them. */

/** In the templates. */
const TEMPLATE_WORDS = {
  addressLabel: 'Your email address',
  enter: 'Enter',
  goOn: 'See the preview',
  stillLoading: 'Still loading. If this takes too long, reload the page.',
  entryNeedsScript:
    'This page needs JavaScript and cookies. Please allow both for this site, then ' +
    'reload the page.',
  cardDescription: 'A door ajar, with light behind it.',
  loadingShort: 'Still loading…',
  logOut: 'Log out',
  dates: 'Dates',
  leftKey: 'Left',
  rightKey: 'Right',
  keysMove: 'to move',
  timelineNeedsScript:
    'JavaScript is off. You can read this page, but the buttons to join and to log out do not ' +
    'work. Please allow JavaScript for this site, then reload the page.',
};

const UNAVAILABLE = 'The site is temporarily unavailable. Please try again in a moment.';

/** In the scripts of each page. The entry page must not contain those of the timeline. */
export const SCRIPT_WORDS = {
  entry: {
    unavailable: UNAVAILABLE,
    offline: 'The site cannot be reached. Check your connection and try again.',
    tooManyAttempts:
      'Too many login attempts from this network. Try again {inMinutes}, or use another network.',
    notAnAddress: 'Enter an email address such as name@example.com.',
    looking: 'Checking the guest list…',
    notInvited:
      '{email} is not on the guest list. Try the address that your invitation was sent to.',
    cookieNotKept:
      'You are on the guest list, but your browser did not keep the cookie that lets you in. ' +
      'Please allow cookies for this site, then try again.',
    welcome: 'Welcome, {firstName}.',
    welcomeNameless: 'Welcome.',
    welcomeBack: 'Welcome back, {firstName}.',
    welcomeBackNameless: 'Welcome back.',
    notYou: 'Not {who}? Use another address',
    sessionEnded: 'Your session has ended. Please log in again.',
    loggedOut: 'You are logged out.',
  },
  timeline: {
    unavailable: UNAVAILABLE,
    recording: 'Sending…',
    joined: 'You’re on the list, {firstName}.',
    joinedNameless: 'You’re on the list.',
    joinAgain: 'Join again',
    recorded: 'Thank you. We have noted it again.',
    notRecorded: 'Your press was not recorded.',
    maybeNotRecorded:
      'No answer came, so we may have missed your press. Check your connection and try again.',
    otherVisitor: 'This browser is now logged in as {who}. Press the button to join as {who}.',
    loggingOut: 'Logging out…',
    stillLoggedIn: 'You are still logged in.',
    maybeLoggedIn:
      'No answer came, so you may still be logged in. Check your connection and try again.',
    picturesEnded: 'Your session has ended, so pictures no longer load.',
    logInAgain: 'Log in again',
  },
};

export const DEFAULT_WORDS = { ...TEMPLATE_WORDS, ...SCRIPT_WORDS.entry, ...SCRIPT_WORDS.timeline };

/** The letter to a newly invited person. Administrators copy and send it. */
export const INVITATION_TEXT = `Hello {firstName},

You are invited to a private preview of {title}:
{address}

Your address, {email}, is already filled in. There is no password.`;

/** The subject of both letters. */
export const SUBJECT_TEXT = 'Your invitation to {title}';

/** The letter to an invited person who has not joined. */
export const REMINDER_TEXT = `Hello {firstName},

Your invitation to the private preview of {title} is still open:
{address}

Your address, {email}, is already filled in. There is no password.`;
