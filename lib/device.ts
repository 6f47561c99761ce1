/** What a User-Agent header tells of a visitor's device. */
import { createRequire } from 'node:module';

// Required, because to import it, a CommonJS module, would take 7 MB more: for finding its names.
const { UAParser }: typeof import('ua-parser-js') = createRequire(import.meta.url)('ua-parser-js');

export type Device = {
  /** `desktop`, ua-parser's type (`mobile`, `tablet`, `smarttv`, …), or `unknown`. */
  readonly type: string;
  /** Name without version, empty where unknown: the versions in today's User-Agents are frozen. */
  readonly os: string;
  readonly browser: string;
};

/** As much of the header as is looked at, in characters; real ones are shorter. */
const MAX_LENGTH = 512;

/** Parsed headers kept; a parse takes some 100 µs and visitors share few headers. */
const MAX_CACHED = 1000;

const cache = new Map<string, Device>();

/** Parses a User-Agent header; the same header gives the same frozen value. */
export function describeDevice(userAgent = ''): Device {
  const header = userAgent.slice(0, MAX_LENGTH);
  const known = cache.get(header);
  if (known) return known;
  const device = parse(header);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(header, device);
  return device;
}

function parse(header: string): Device {
  const { device, os, browser } = new UAParser(header).getResult();
  const recognised = device.type ?? os.name ?? browser.name;
  return Object.freeze({
    type: device.type ?? (recognised ? 'desktop' : 'unknown'),
    os: os.name ?? '',
    browser: browser.name ?? '',
  });
}
