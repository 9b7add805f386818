/** `deployed`: the page as built. `without scripts`: its HTML alone. */
export type Variant = 'deployed' | 'without scripts';

/** Milliseconds, but for the shift of the layout. */
export interface Figures {
  lcp: number;
  tbt: number;
  cls: number;
}

/** Goals for the largest paint in relation to the page without scripts. */
const RATIO = { landing: 1.05, others: 1.1 } as const;
const TBT = 50;
const CLS = 0.01;

/**
 * Whether each page meets its goals, by the median of its runs. A run gives one ratio, since a slow moment of
 * the machine slows both sides of it.
 */
export function figuresTable(
  measured: ReadonlyMap<string, readonly Readonly<Record<Variant, Figures>>[]>,
): string {
  const rows = [...measured].map(([path, runs]) => {
    const of = (figure: keyof Figures, variant: Variant) => median(runs.map((run) => run[variant][figure]));
    const ratio = median(runs.map((run) => run.deployed.lcp / run['without scripts'].lcp));
    return [
      path,
      of('lcp', 'deployed').toFixed(0),
      of('lcp', 'without scripts').toFixed(0),
      verdict(ratio, path === '/' ? RATIO.landing : RATIO.others, 2),
      verdict(of('tbt', 'deployed'), TBT, 0),
      verdict(of('cls', 'deployed'), CLS, 3),
    ];
  });
  return table([['page', 'LCP ms', 'without scripts', 'ratio', 'TBT ms', 'CLS'], ...rows]);
}

const verdict = (value: number, most: number, digits: number): string =>
  `${value.toFixed(digits)} ${value <= most ? 'met' : `missed (${most})`}`;

/** The median; the higher of the middle two values if their number is even. */
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** A table in Markdown. */
function table([head = [], ...rows]: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
