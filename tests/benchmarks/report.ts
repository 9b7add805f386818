import { writeFileSync } from 'node:fs';

/** A figure that a benchmark has measured, usually the median of several rounds. */
export interface Measurement {
  /** The first column of the table: `Second start`, `GET /plan, 32 connections`. */
  what: string;
  value: number;
  /** `ms`, `MB`, `requests/s`, `%`, or `ratio` for a figure divided by another of the same round. */
  unit: string;
  /** The same figure of the checkout that `--against` names, measured in the same rounds. */
  before?: number | undefined;
  goal?: Goal | undefined;
}

/** Bounds in the unit of the measurement, both inclusive. */
export interface Goal {
  least?: number;
  most?: number;
}

/** The file that `npm run bench` gives each benchmark for its measurements, as JSON. */
export const REPORT_FILE = 'SELFSAME_BENCH_REPORT';

/** Prints the measurements as a table, and hands them to `npm run bench`. */
export function report(measurements: readonly Measurement[]): void {
  console.log(tableOf(measurements).join('\n'));
  const file = process.env[REPORT_FILE];
  if (file) writeFileSync(file, JSON.stringify(measurements));
}

/** The lines of a Markdown table. It has a column for figures before only if there are any. */
export function tableOf(measurements: readonly Measurement[]): string[] {
  const compared = measurements.some(({ before }) => before !== undefined);
  const cells = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  const header = ['measured', ...(compared ? ['before', 'now'] : ['now']), 'unit', 'goal', 'met'];
  return [
    cells(header),
    cells(header.map(() => '---')),
    ...measurements.map(({ what, value, unit, before, goal }) =>
      cells([
        what,
        ...(compared ? [before === undefined ? '' : formatted(before)] : []),
        formatted(value),
        unit,
        goal ? goalText(goal) : '',
        goal ? (isMet(goal, value) ? 'yes' : 'no') : '',
      ]),
    ),
  ];
}

const isMet = ({ least = -Infinity, most = Infinity }: Goal, value: number) =>
  value >= least && value <= most;

function goalText({ least, most }: Goal): string {
  if (least === undefined) return `at most ${most}`;
  return most === undefined ? `at least ${least}` : `${least} to ${most}`;
}

/** Three significant digits, without an exponent. */
const formatted = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

/** The median; the higher of the middle two values if their number is even. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
