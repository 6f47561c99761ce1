/** Describes the device of a client by its User-Agent header. */
import { requirePackage } from '../config.ts';
import type { Device } from '../records.ts';

const { UAParser } = requirePackage<typeof import('ua-parser-js')>('ua-parser-js');

/** How many characters of the header are parsed. Those of real browsers are shorter. */
const MAX_LENGTH = 512;

/** How many headers are cached. Parsing is slow, and many clients send the same header. */
const MAX_CACHED = 1000;

const cache = new Map<string, Device>();

/** Parses a User-Agent header. The result is cached and frozen. */
export function describeDevice(userAgent = ''): Device {
  // The parser copies some names from the header. In lower case, `CHROME` and `Chrome` are equal.
  const header = userAgent.slice(0, MAX_LENGTH).toLowerCase();
  const known = cache.get(header);
  if (known) return known;
  const { device, os, browser } = new UAParser(header).getResult();
  const recognised = device.type ?? os.name ?? browser.name;
  const described = Object.freeze({
    deviceType: device.type ?? (recognised ? 'desktop' : 'unknown'),
    os: plainName(os.name),
    browser: plainName(browser.name),
  });
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(header, described);
  return described;
}

/** `Mac OS`, `BlackBerry 10` and the empty name, but not `<b>` or one of 33 characters. */
const PLAIN_NAME = /^([a-z0-9][a-z0-9 ./-]{0,31})?$/i;

/** A name that was copied from the header is in lower case. It gets a capital: `Duckduckgo`. */
function plainName(found = ''): string {
  if (!PLAIN_NAME.test(found)) return 'Other';
  return found.replace(/\b[a-z]+\b/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
