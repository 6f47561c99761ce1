/** Describes the device of a visitor by the User-Agent header. */
import { UAParser } from 'ua-parser-js';
import type { Request } from '../http/request.ts';
import type { Device } from '../records.ts';

/** Characters. The headers of real browsers are shorter, and the parser's time grows with them. */
const MAX_LENGTH = 512;

/** Parsing takes as long as recording, and guests have few kinds of browsers. */
const MAX_REMEMBERED = 1000;
const remembered = new Map<string, Device>();

export function describeDevice({ headers }: Request): Device {
  const userAgent = (headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
  const known = remembered.get(userAgent);
  if (known) return known;
  if (remembered.size === MAX_REMEMBERED) remembered.clear();
  const device = parse(userAgent);
  remembered.set(userAgent, device);
  return device;
}

function parse(userAgent: string): Device {
  const { device, os, browser } = new UAParser(userAgent).getResult();
  const isKnown = os.name !== undefined || browser.name !== undefined;
  const otherwise = isKnown ? 'desktop' : 'unknown';
  return {
    deviceType: device.type ?? otherwise,
    os: os.name ?? '',
    browser: browser.name ?? '',
  };
}
