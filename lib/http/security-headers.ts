/** The security headers of every reply. */

/** Turns off the browser features that this site does not use. */
const PERMISSIONS_POLICY = [
  'accelerometer=()',
  'camera=()',
  'display-capture=()',
  'encrypted-media=()',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'publickey-credentials-get=()',
  'screen-wake-lock=()',
  'usb=()',
  'xr-spatial-tracking=()',
].join(', ');

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; " +
  "font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** @param production adds HSTS for a year @returns names and values in turn */
export function securityHeaders(production: boolean): readonly string[] {
  const headers = [
    'Content-Security-Policy',
    CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options',
    'nosniff',
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'same-origin',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    'Cross-Origin-Resource-Policy',
    'same-origin',
    'Permissions-Policy',
    PERMISSIONS_POLICY,
    'X-Robots-Tag',
    'noindex, nofollow',
  ];
  if (production) headers.push('Strict-Transport-Security', 'max-age=31536000');
  return headers;
}
