/** User-Agent headers of current browsers and devices, in the form of each browser. */

/** Chrome names its major version only; the rest is frozen. */
const CHROME = [137, 138, 139, 140, 141, 142];
const FIREFOX = [115, 128, 140, 143, 144, 145];
const SAFARI = ['17.6', '18.5', '18.6', '26.0', '26.1'];
/** Safari 26 sends 18_6 or 18_7 on every system. */
const IOS = ['16_7_12', '17_6_1', '18_4', '18_5', '18_6', '18_6_2', '18_7'];

const ANDROID = [
  '13; SM-A536B',
  '14; SM-S911B',
  '15; SM-S928B',
  '15; Pixel 8',
  '16; Pixel 9 Pro',
  '14; 2312DRA50G',
  '13; M2101K6G',
  '14; CPH2581',
  '12; moto g(30)',
  '10; K',
];

const ANDROID_TABLETS = ['13; SM-T733', '14; SM-X710', '12; Lenovo TB-X606F', '11; SM-T500'];

const GECKO = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

const DESKTOPS = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
];

/** The `i`-th header of a family of browsers. */
type Family = (i: number) => string;

/** The `i`-th of a list, which begins again at its end. */
const of = <T>(list: readonly T[], i: number): T => {
  const item = list[i % list.length];
  if (item === undefined) throw new Error('an empty list has no items');
  return item;
};

const chrome = (platform: string, i: number, tail = 'Safari/537.36') =>
  `Mozilla/5.0 (${platform}) ${GECKO} Chrome/${of(CHROME, i)}.0.0.0 ${tail}`;

const iPhone = (i: number) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${of(IOS, i)} like Mac OS X) ${WEBKIT}`;

/** Families with their share of visitors, in percent. */
const FAMILIES: readonly (readonly [share: number, Family])[] = [
  [17, (i) => `${iPhone(i)} Version/${of(SAFARI, i)} Mobile/15E148 Safari/604.1`],
  [4, (i) => `${iPhone(i)} CriOS/${of(CHROME, i)}.0.7258.76 Mobile/15E148 Safari/604.1`],
  [
    24,
    (i) =>
      chrome(
        `Linux; Android ${of(ANDROID, i)}`,
        Math.floor(i / ANDROID.length),
        'Mobile Safari/537.36',
      ),
  ],
  [
    5,
    (i) =>
      `Mozilla/5.0 (Linux; Android ${of(ANDROID, i)}) ${GECKO} SamsungBrowser/${27 + Math.floor(i / 5)}.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
  ],
  [
    2,
    (i) =>
      `Mozilla/5.0 (Android ${13 + (i % 3)}; Mobile; rv:${of(FIREFOX, i)}.0) Gecko/${of(FIREFOX, i)}.0 Firefox/${of(FIREFOX, i)}.0`,
  ],
  [
    3,
    (i) =>
      chrome(`Linux; Android ${of(ANDROID_TABLETS, i)}`, Math.floor(i / ANDROID_TABLETS.length)),
  ],
  [
    3,
    (i) =>
      `Mozilla/5.0 (iPad; CPU OS ${of(IOS, i)} like Mac OS X) ${WEBKIT} Version/${of(SAFARI, i)} Mobile/15E148 Safari/604.1`,
  ],
  [
    8,
    (i) =>
      `Mozilla/5.0 (${of(DESKTOPS, 1)}) ${WEBKIT} Version/${17 + Math.floor(i / 8)}.${i % 8} Safari/605.1.15`,
  ],
  [8, (i) => chrome(of(DESKTOPS, i), Math.floor(i / 3))],
  [
    9,
    (i) =>
      chrome(
        of(DESKTOPS, i % 2),
        i >> 1,
        `Safari/537.36 Edg/${of(CHROME, i >> 1)}.0.${3400 + i * 31}.${50 + i}`,
      ),
  ],
  [
    8,
    (i) =>
      `Mozilla/5.0 (${of(DESKTOPS, i)}; rv:${of(FIREFOX, Math.floor(i / 3))}.0) Gecko/20100101 Firefox/${of(FIREFOX, Math.floor(i / 3))}.0`,
  ],
  [4, (i) => chrome(of(DESKTOPS, i), Math.floor(i / 3), `Safari/537.36 OPR/${116 + i}.0.0.0`)],
  [2, (i) => `${iPhone(i)} FxiOS/${of(FIREFOX, i)}.0 Mobile/15E148 Safari/605.1.15`],
  [
    2,
    (i) =>
      `${iPhone(i)} Mobile/22F76 [FBAN/FBIOS;FBAV/5${20 + i}.0.0.38.101;FBDV/iPhone16,${1 + (i % 2)};FBSN/iOS;FBCR/;FBLC/en_GB]`,
  ],
  [
    1,
    (i) =>
      `Mozilla/5.0 (SMART-TV; LINUX; Tizen ${6 + i}.0) AppleWebKit/537.36 (KHTML, like Gecko) ${85 + i}.0.4183.93/${6 + i}.0 TV Safari/537.36`,
  ],
];

/** `count` different headers in the shares of the families, mixed. */
export function userAgents(count = 200): readonly string[] {
  const all = FAMILIES.flatMap(([share, family]) =>
    Array.from({ length: Math.round((share * count) / 100) }, (_, i) => family(i)),
  );
  // A fixed shuffle: neighbours come from different families, and every run sends the same.
  const step = 67;
  return all.map((_, i) => of(all, i * step));
}
