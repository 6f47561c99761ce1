/** Bar charts as SVG, in the light and the dark scheme. */

export type Bars = {
  readonly label: string;
  /** One for each series. */
  readonly values: readonly number[];
};

const WIDTH = 760;
const LABELS = 260;
const NUMBERS = 70;
const BAR = 15;
const GAP = 12;
const TOP = 40;

const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #24292f }
  .own { font-weight: 700 }
  .s0 { fill: #0a7b62 } .s1 { fill: #a9b4bf }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .s0 { fill: #3fb993 } .s1 { fill: #5d6873 }
  }`;

/** @param own the label that is written bold */
export function barChart(series: readonly string[], rows: readonly Bars[], own = ''): string {
  const most = Math.max(...rows.flatMap(({ values }) => values));
  const step = series.length * BAR + GAP;
  const text = (x: number, y: number, content: string, rest = '') =>
    `<text x="${x}" y="${y}"${rest}>${content}</text>`;
  const square = (x: number, y: number, width: number, i: number) =>
    `<rect class="s${i}" x="${x}" y="${y}" width="${width}" height="${BAR - 2}" rx="2"/>`;
  const legend = series.flatMap((name, i) => [
    square(LABELS + i * 260, 10, BAR - 2, i),
    text(LABELS + i * 260 + 18, 21, name),
  ]);
  const drawn = rows.flatMap(({ label, values }, row) => {
    const y = TOP + row * step;
    const middle = y + (series.length * BAR) / 2 + 4;
    const bars = values.flatMap((value, i) => {
      const width = Math.max(1, Math.round((value / most) * (WIDTH - LABELS - NUMBERS)));
      return [
        square(LABELS, y + i * BAR, width, i),
        text(LABELS + width + 6, y + i * BAR + 11, value.toLocaleString('en')),
      ];
    });
    const weight = label === own ? ' class="own"' : '';
    return [text(LABELS - 10, middle, label, ` text-anchor="end"${weight}`), ...bars];
  });
  const height = TOP + rows.length * step;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<title>${series.join('; ')}</title>`,
    `<style>${STYLE}</style>`,
    ...legend,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}
