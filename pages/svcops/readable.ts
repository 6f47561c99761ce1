/** International addresses for reading: no function of browsers decodes the stored ASCII form. */

/** The address with its domain decoded; unchanged if the decoded domain is a different one. */
export function readable(email: string): string {
  const at = email.indexOf('@') + 1;
  const domain = email.slice(at);
  if (!domain.includes('xn--')) return email;
  try {
    const decoded = domain.split('.').map(decodeLabel).join('.');
    return new URL(`http://${decoded}`).hostname === domain ? email.slice(0, at) + decoded : email;
  } catch {
    return email;
  }
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Punycode (RFC 3492, section 6.2). The RFC calls `code` n, `position` i and `weight` w. */
function decodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const delimiter = Math.max(label.lastIndexOf('-'), 3);
  const characters = [...label.slice(4, delimiter)];
  let [code, position, bias] = [128, 0, 72];
  for (let at = delimiter + 1; at < label.length; ) {
    const start = position;
    for (let k = 36, weight = 1; ; k += 36) {
      const digit = DIGITS.indexOf(label.charAt(at));
      at += 1;
      position += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = characters.length + 1;
    // Section 6.1 adapts the bias.
    let delta = Math.floor((position - start) / (start === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(position / count);
    position %= count;
    characters.splice(position, 0, String.fromCodePoint(code));
    position += 1;
  }
  return characters.join('');
}
