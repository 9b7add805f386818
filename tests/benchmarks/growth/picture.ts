import type { Point } from './slope.ts';

/** A diagram with logarithmic axes. */
export interface Diagram {
  title: string;
  xLabel: string;
  yLabel: string;
  lines: readonly { label: string; points: readonly Point[] }[];
}

const WIDTH = 460;
const HEIGHT = 330;
const PLOT = { left: 84, right: 100, top: 48, bottom: 52 };
// Readable on white and on black alike.
const COLOURS = ['#3b7dd8', '#c2631b', '#2c9a5f', '#a855c7', '#c43d5a'];

const LABEL_HEIGHT = 15;

const colourOf = (index: number) => String(COLOURS[index % COLOURS.length]);

/** An SVG picture of the diagrams, in rows of two. Follows the reader's choice of light or dark. */
export function pictureOf(diagrams: readonly Diagram[]): string {
  const height = Math.ceil(diagrams.length / 2) * HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${escaped(diagrams.map(({ title }) => title).join('; '))}</title>`,
    '<style>',
    'rect { fill: #fff } text { fill: #222 } .grid { stroke: #ddd } .line { fill: none; stroke-width: 2 }',
    '@media (prefers-color-scheme: dark) { rect { fill: #0d1117 } text { fill: #ddd } .grid { stroke: #333 } }',
    '</style>',
    '<rect width="100%" height="100%"/>',
    ...diagrams.flatMap((diagram, index) => [
      `<g transform="translate(${(index % 2) * WIDTH} ${Math.floor(index / 2) * HEIGHT})">`,
      ...drawn(diagram),
      '</g>',
    ]),
    '</svg>',
    '',
  ].join('\n');
}

function drawn({ title, xLabel, yLabel, lines }: Diagram): string[] {
  const points = lines.flatMap((line) => line.points);
  const x = axis(
    points.map((point) => point.x),
    [PLOT.left, WIDTH - PLOT.right],
  );
  const y = axis(
    points.map((point) => point.y),
    [HEIGHT - PLOT.bottom, PLOT.top],
  );
  const [bottom, right] = [HEIGHT - PLOT.bottom, WIDTH - PLOT.right];
  const middle = { x: (PLOT.left + right) / 2, y: (PLOT.top + bottom) / 2 };
  return [
    `<text x="${PLOT.left}" y="26" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...x.ticks.flatMap((tick) => [
      `<path class="grid" d="M${x.at(tick)} ${PLOT.top}V${bottom}"/>`,
      `<text x="${x.at(tick)}" y="${bottom + 18}" text-anchor="middle">${numeral(tick)}</text>`,
    ]),
    ...y.ticks.flatMap((tick) => [
      `<path class="grid" d="M${PLOT.left} ${y.at(tick)}H${right}"/>`,
      `<text x="${PLOT.left - 8}" y="${y.at(tick) + 4}" text-anchor="end">${numeral(tick)}</text>`,
    ]),
    `<text x="${middle.x}" y="${HEIGHT - 14}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text transform="translate(16 ${middle.y}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>`,
    ...lines.flatMap((line, index) => {
      const colour = colourOf(index);
      const at = line.points.map((point) => `${x.at(point.x)} ${y.at(point.y)}`);
      return [
        `<path class="line" stroke="${colour}" d="M${at.join('L')}"/>`,
        ...at.map((place) => `<circle r="3" fill="${colour}" transform="translate(${place})"/>`),
      ];
    }),
    ...labels(lines, (point) => ({ x: x.at(point.x), y: y.at(point.y) })),
  ];
}

/** The lines' names at their ends, apart from each other even where lines meet. */
function labels(lines: Diagram['lines'], place: (point: Point) => Point): string[] {
  const ends = lines
    .flatMap(({ label, points }, index) => {
      const last = points.at(-1);
      return last ? [{ label, index, ...place(last) }] : [];
    })
    .toSorted((a, b) => a.y - b.y);
  let above = -Infinity;
  return ends.map(({ label, index, x, y }) => {
    above = Math.max(y, above + LABEL_HEIGHT);
    return `<text x="${x + 8}" y="${above + 4}" style="fill: ${colourOf(index)}">${escaped(label)}</text>`;
  });
}

/** A logarithmic axis over whole powers of ten. `ends`: the pixels of its least and its greatest value. */
function axis(values: readonly number[], ends: readonly [number, number]) {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.max(Math.ceil(Math.log10(Math.max(...values))), least + 1);
  return {
    ticks: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)),
    at: (value: number): number =>
      Math.round(ends[0] + ((Math.log10(value) - least) / (most - least)) * (ends[1] - ends[0])),
  };
}

const numeral = (value: number): string => value.toLocaleString('en-US');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
