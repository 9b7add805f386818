import { median, table } from '../table.ts';
import type { Figures, Throttling } from './measure.ts';
import type { ScriptBytes } from './script-bytes.ts';

/** `deployed`: the page as built. `without scripts`: its HTML alone. */
export type Variant = 'deployed' | 'without scripts';

export interface Run extends Figures {
  /** Path and query. */
  path: string;
  throttling: Throttling;
  variant: Variant;
  round: number;
}

/** Goals for the largest paint in relation to the page without scripts. */
const RATIO = { landing: 1.05, others: 1.1 } as const;
const TBT = 50;
const CLS = 0.01;

/** A row for each page, throttling and variant. Each figure is the median of the runs. */
export function figuresTable(runs: readonly Run[]): string {
  const rows = groupsOf(runs, ({ path, throttling, variant }) => [path, throttling, variant]).map(
    ({ names, members }) => {
      const of = (figure: (run: Run) => number) => median(members.map(figure));
      return [
        ...names,
        of(({ lcp }) => lcp).toFixed(0),
        of(({ fcp }) => fcp).toFixed(0),
        of(({ tbt }) => tbt).toFixed(0),
        of(({ cls }) => cls).toFixed(3),
        of(({ html }) => html).toFixed(0),
        of(({ script }) => script).toFixed(0),
      ];
    },
  );
  const times = ['LCP ms', 'FCP ms', 'TBT ms', 'CLS'];
  return table([['page', 'throttling', 'variant', ...times, 'HTML bytes', 'script bytes'], ...rows]);
}

/**
 * Whether each page meets its goals. Runs of a round are neighbours in time, so a round gives one ratio, and
 * what slows the machine for a while slows both sides of it.
 */
export function goalsTable(runs: readonly Run[]): string {
  const rows = groupsOf(runs, ({ path, throttling }) => [path, throttling]).map(({ names, members }) => {
    const page = members.filter(({ variant }) => variant === 'deployed');
    const goal = members[0]?.path === '/' ? RATIO.landing : RATIO.others;
    return [
      ...names,
      verdict(median(ratiosOf(members)), goal, 2),
      verdict(median(page.map(({ tbt }) => tbt)), TBT, 0),
      verdict(median(page.map(({ cls }) => cls)), CLS, 3),
    ];
  });
  return table([['page', 'throttling', 'LCP, ratio', 'TBT ms', 'CLS'], ...rows]);
}

export function scriptTable(weights: readonly { path: string; bytes: ScriptBytes }[]): string {
  const rows = weights.map(({ path, bytes }) => [
    path,
    (bytes.untilUsable / 1024).toFixed(1),
    (bytes.inAll / 1024).toFixed(1),
  ]);
  return table([['page', 'script until usable, KB', 'after the first touch, KB'], ...rows]);
}

/** For each round, the page's LCP divided by that without scripts. */
function ratiosOf(runs: readonly Run[]): number[] {
  return groupsOf(runs, ({ round }) => [String(round)]).flatMap(({ members }) => {
    const lcpOf = (wanted: Variant) => members.find((run) => run.variant === wanted)?.lcp;
    const [page, reference] = [lcpOf('deployed'), lcpOf('without scripts')];
    return page === undefined || reference === undefined ? [] : [page / reference];
  });
}

const verdict = (value: number, most: number, digits: number): string =>
  `${value.toFixed(digits)} ${value <= most ? 'met' : `missed (${most})`}`;

function groupsOf(runs: readonly Run[], namesOf: (run: Run) => string[]) {
  const groups = Map.groupBy(runs, (run) => namesOf(run).join(' | '));
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first ? [{ names: namesOf(first), members }] : [];
  });
}
