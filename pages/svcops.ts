/** The administrator page: reads the totals and lists, and invites. */
type Row = Readonly<Record<string, string | number | boolean | null>>;

async function read(path: string) {
  const response = await fetch(`/api/svcops/${path}`);
  return response.json();
}

function fill(id: string, rows: readonly Row[], cell: (row: Row) => readonly unknown[]): void {
  const body = document.querySelector(`#${id} tbody`);
  body?.replaceChildren(
    ...rows.map((row) => {
      const tr = document.createElement('tr');
      for (const value of cell(row)) tr.insertCell().textContent = String(value ?? '');
      return tr;
    }),
  );
}

const time = (ms: unknown) => (typeof ms === 'number' ? new Date(ms).toLocaleString() : '');

async function refresh(): Promise<void> {
  const [stats, invites, joins] = await Promise.all([
    read('stats'),
    read('invites'),
    read('joins'),
  ]);
  const totals = document.querySelector('#totals');
  totals?.replaceChildren(
    ...Object.entries(stats.totals).flatMap(([name, count]) => {
      const dt = document.createElement('dt');
      const dd = document.createElement('dd');
      dt.textContent = name;
      dd.textContent = String(count);
      return [dt, dd];
    }),
  );
  fill('invites', invites.invites, (r) => [
    `${r.email}${r.isAdmin ? ' (Admin)' : ''}`,
    r.firstName,
    r.invitedBy,
    r.logins,
    r.timelineViews,
    r.joinClicks,
  ]);
  fill('summary', joins.summary, (r) => [r.email, r.clicks, time(r.firstAt), time(r.lastAt)]);
  fill('clicks', joins.clicks, (r) => [r.id, r.email, r.session, time(r.clickedAt)]);
}

const form = document.querySelector('form');
form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const response = await fetch('/api/svcops/invites', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: data.get('email'), firstName: data.get('firstName') }),
  });
  const message = document.querySelector('#message');
  if (message)
    message.textContent = response.ok
      ? `${data.get('email')} is invited.`
      : `Not invited: ${(await response.json()).error}.`;
  if (response.ok) form.reset();
  await refresh();
});

await refresh();
