/** The entry page: an invited address lets its owner in. */
const form = document.querySelector('form');
const message = document.querySelector('#message');

const MESSAGES: Readonly<Record<string, string>> = {
  invalid_email: 'That does not look like an email address.',
  not_invited: 'This address is not on the list.',
  rate_limited: 'Too many attempts. Please try again later.',
};

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const response = await fetch('/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: new FormData(form).get('email') }),
    });
    if (response.ok) return location.assign('/timeline');
    const { error } = await response.json();
    say(MESSAGES[error] ?? 'Something went wrong. Please try again.');
  } catch {
    say('No connection. Please try again.');
  }
});

function say(text: string): void {
  if (message) message.textContent = text;
}

const me = await fetch('/auth/me');
if (me.ok) {
  const { firstName } = await me.json();
  say(`Welcome back${firstName ? `, ${firstName}` : ''}.`);
  const link = document.createElement('a');
  link.href = '/timeline';
  link.textContent = 'Go on to the preview';
  message?.append(' ', link);
}
