/**
 * Measures how the cost of each sweep grows:
 * `npm run bench -- growth [--rows 10000,100000] [--due 0,100,1000,10000] [--rounds 3]`.
 * `--rows 10000,100000,1000000` takes about twenty minutes, most of them for filling the table.
 *
 * For each number of rows there is a table in the real engine, and a Stripe stand-in with as many customers
 * and old events. The sweeps run with the real adapters; requests to DynamoDB and Stripe are counted. Rounds
 * alternate between the tables. A figure is the median of the rounds.
 *
 * Slopes are those of logarithms: 1 is proportional, 0 is independent. Against what is due, from a hundred
 * on: below, the constant part counts, 16 queries for the index's shards. Against rows, over all tables.
 */
import { parseArgs } from 'node:util';
import { startTables } from '../fixtures/worlds/dynamodb-tables.ts';
import { type Scale, startScale } from './growth/scale.ts';
import { type Point, slopeOf } from './growth/slope.ts';
import { type Sweep, sweeps } from './growth/sweeps.ts';
import { type Measurement, median, report } from './report.ts';

// Runs of this many or more are long enough that one is as good as a median.
const LONG = 10_000;
const LEAST_PROPORTIONAL = 100;

interface Figure {
  sweep: Sweep;
  total: number;
  due: number;
  milliseconds: number;
  requests: number;
}

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000' },
    due: { type: 'string', default: '0,100,1000,10000' },
    rounds: { type: 'string', default: '3' },
  },
});
const numbers = (list: string) => list.split(',').map(Number);
const totals = numbers(values.rows);
const dues = numbers(values.due);
const rounds = Number(values.rounds);

Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const engine = await startTables();
// Silences the sweeps' logs.
console.info = () => {};
const scales: Scale[] = [];
const figures: Figure[] = [];
try {
  for (const total of totals) {
    const progress = (rows: number) =>
      process.stderr.write(`\rFilling a table of ${numeral(total)} rows: ${numeral(rows)}`);
    scales.push(await startScale(engine.dynamodb, total, progress));
    process.stderr.write('\n');
  }
  for (const sweep of sweeps) {
    for (const due of dues) figures.push(...(await measure(sweep, due)));
  }
} finally {
  for (const scale of scales) await scale.close();
  await engine.stop();
}
report([...sweeps.flatMap(slopesOf), ...figures.flatMap(measurementsOf)]);

/** Runs the sweep against each table in turn. */
async function measure(sweep: Sweep, due: number): Promise<Figure[]> {
  const fitting = scales.filter(({ total }) => due <= total);
  const runs = new Map(fitting.map((scale) => [scale, { milliseconds: [] as number[], requests: 0 }]));
  for (let round = 0; round < (due < LONG ? rounds : 1); round += 1) {
    for (const [scale, run] of runs) {
      const start = await sweep.makeDue(scale, due);
      const before = scale.requests();
      const began = performance.now();
      const handled = await start();
      run.milliseconds.push(performance.now() - began);
      run.requests = scale.requests() - before;
      if (handled !== due) throw new Error(`${sweep.name} handled ${handled} of ${due}.`);
    }
  }
  return [...runs].map(([{ total }, run]) => {
    const milliseconds = median(run.milliseconds);
    process.stderr.write(
      `${sweep.name}, ${numeral(due)} due of ${numeral(total)}: ${milliseconds.toFixed(0)} ms, ${run.requests} requests\n`,
    );
    return { sweep, total, due, milliseconds, requests: run.requests };
  });
}

/** The figures of a sweep as lines: one for each value of `line`, over `x`. */
function linesOf(sweep: Sweep, line: 'due' | 'total', x: 'due' | 'total', y: 'milliseconds' | 'requests') {
  const groups = Map.groupBy(
    figures.filter((figure) => figure.sweep === sweep && (x === 'total' || figure.due >= LEAST_PROPORTIONAL)),
    (figure) => figure[line],
  );
  return [...groups].map(([of, group]) => ({
    of,
    points: group.map((figure): Point => ({ x: figure[x], y: figure[y] })),
  }));
}

function slopesOf(sweep: Sweep): Measurement[] {
  const slope = (line: 'due' | 'total', x: 'due' | 'total', y: 'milliseconds' | 'requests') =>
    slopeOf(linesOf(sweep, line, x, y).map(({ points }) => points));
  return (['milliseconds', 'requests'] as const).flatMap((y): Measurement[] => [
    {
      what: `${sweep.name}: slope of ${y} against ${sweep.due}`,
      value: slope('total', 'due', y),
      unit: '',
      goal: { least: 0.9, most: 1.1 },
    },
    {
      what: `${sweep.name}: slope of ${y} against rows`,
      value: slope('due', 'total', y),
      unit: '',
      goal: { most: 0.1 },
    },
  ]);
}

function measurementsOf({ sweep, total, due, milliseconds, requests }: Figure): Measurement[] {
  const what = `${sweep.name}: ${numeral(due)} ${sweep.due}, ${numeral(total)} rows`;
  return [
    { what, value: milliseconds, unit: 'ms' },
    { what, value: requests, unit: 'requests' },
  ];
}

function numeral(value: number): string {
  return value.toLocaleString('en-US');
}
