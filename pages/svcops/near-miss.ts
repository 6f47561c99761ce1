/** Finds domains that are probably misspelt: one slip away from a large mail service's. */

/** Those below nine characters are only known to exist: too many domains are close to them. */
const KNOWN = (
  'gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de yahoo.com yahoo.de ' +
  'icloud.com proton.me protonmail.com t-online.de freenet.de posteo.de posteo.net mailbox.org ' +
  'fastmail.com email.com ymail.com mail.com gmx.com'
).split(' ');

const SHORTEST = 9;

/** The domain that was probably meant; `undefined` if that of the address may be right. */
export function meantDomain(email: string): string | undefined {
  const domain = email.replace(/.*@/, '');
  if (KNOWN.includes(domain)) return undefined;
  return KNOWN.find((known) => known.length >= SHORTEST && isOneSlip(domain, known));
}

/** Whether one letter is another one, missing, added, or in the place of the next. */
function isOneSlip(typed: string, meant: string): boolean {
  let i = 0;
  while (i < meant.length && typed[i] === meant[i]) i += 1;
  return (
    typed.slice(i + 1) === meant.slice(i + 1) ||
    typed.slice(i) === meant.slice(i + 1) ||
    typed.slice(i + 1) === meant.slice(i) ||
    typed === meant.slice(0, i) + [...meant.slice(i, i + 2)].reverse().join('') + meant.slice(i + 2)
  );
}
