/** The timeline: who is here, join, and log out. */
const message = document.querySelector('#message');

document.querySelector('#join')?.addEventListener('click', async () => {
  const response = await fetch('/api/project-join', { method: 'POST' }).catch(() => undefined);
  if (response?.status === 401) return location.assign('/');
  if (message)
    message.textContent = response?.ok
      ? 'You are in. Thank you.'
      : 'That did not work. Please press again.';
});

document.querySelector('#logout')?.addEventListener('click', async () => {
  await fetch('/auth/logout', { method: 'POST' });
  location.assign('/');
});

const me = await fetch('/auth/me');
const name = document.querySelector('#name');
if (me.ok && name) name.textContent = (await me.json()).firstName ?? '';
