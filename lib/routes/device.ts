/** Describes a visitor's device by the User-Agent header. */
import { createRequire } from 'node:module';
import type { Device } from '../records.ts';

// `import` takes more memory, because it parses this CommonJS module for its exports.
const { UAParser }: typeof import('ua-parser-js') = createRequire(import.meta.url)('ua-parser-js');

/** The systems and browsers that are counted by name. */
const NAMES = `
  Windows, Windows Phone, Mac OS, iOS, watchOS, Android, Android-x86, HarmonyOS, OpenHarmony,
  KaiOS, Tizen, webOS, Sailfish, BlackBerry, Symbian, Firefox OS, Chromium OS, Chromecast,
  Linux, Ubuntu, Debian, Fedora, FreeBSD, PlayStation, Nintendo, Xbox, Chrome, Chrome Headless,
  Chrome WebView, Chromium, Firefox, Firefox Focus, Safari, Mobile Safari, WebKit, Edge, IE,
  Opera, Opera Mini, Opera GX, Opera Touch, Brave, Vivaldi, DuckDuckGo, Samsung Internet,
  Android Browser, UCBrowser, QQBrowser, Quark, Huawei Browser, MIUI Browser, Vivo Browser,
  HeyTap, Yandex, Whale, Silk, Kindle, Facebook, Instagram, LinkedIn, Twitter, Snapchat, TikTok,
  WeChat, Weibo, Line, KAKAOTALK, NAVER, Alipay, GSA, Electron, Oculus Browser, Tesla`;

const SPELLINGS = new Map(NAMES.split(',').map((name) => [name.trim().toLowerCase(), name.trim()]));

/** Characters of the header that are parsed. Real headers are shorter. */
const MAX_LENGTH = 512;

/** Cached headers. Parsing is slow, and visitors share few headers. */
const MAX_CACHED = 1000;

const cache = new Map<string, Device>();

/** Parses a User-Agent header; the same header gives the same frozen value. */
export function describeDevice(userAgent = ''): Device {
  const header = userAgent.slice(0, MAX_LENGTH);
  const known = cache.get(header);
  if (known) return known;
  const { device, os, browser } = new UAParser(header).getResult();
  const recognised = device.type ?? os.name ?? browser.name;
  const described = Object.freeze({
    deviceType: device.type ?? (recognised ? 'desktop' : 'unknown'),
    os: nameOf(os.name),
    browser: nameOf(browser.name),
  });
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(header, described);
  return described;
}

const nameOf = (found = ''): string =>
  found === '' ? '' : (SPELLINGS.get(found.toLowerCase()) ?? 'Other');
