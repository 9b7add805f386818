import { afterEach, expect, test } from 'vitest';
import { Clock, type Timed } from '../../base/clock.ts';
import { after } from '../../base/duration.ts';
import { scheduleExpression } from '../../aws/scheduler/expression.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let clock = new Clock();
afterEach(() => clock.stop());

/** Work that is due every `period` and records when it ran. */
function every(period: number, jump: Timed['jump'], ran: number[], start = clock.now().getTime()): Timed {
  let next = start + period;
  return {
    jump,
    nextDue: () => next,
    run: (now) => {
      ran.push(Math.round((now.getTime() - start) / MINUTE));
      while (next <= now.getTime()) next += period;
      return Promise.resolve();
    },
  };
}

test('a jump of the clock runs work of kind `each` at every due moment', async () => {
  clock = new Clock();
  const ran: number[] = [];
  clock.register(every(DAY, 'each', ran));
  await clock.advance(3.5 * DAY);
  expect(ran).toEqual([1440, 2880, 4320]);
});

test('a jump of the clock runs work of kind `last` at its end, and before work of kind `each` on the way', async () => {
  clock = new Clock();
  const sweeps: number[] = [];
  clock.register(every(HOUR, 'last', sweeps));
  await clock.advance(40 * DAY);
  expect(sweeps).toEqual([40 * 1440]);

  clock.register(every(10 * DAY, 'each', []));
  await clock.advance(11 * DAY);
  expect(sweeps.slice(1)).toEqual([50 * 1440, 51 * 1440]);
});

test("the clock's offset is saved, shared at once, and never shrinks", async () => {
  const saved: number[] = [];
  clock = new Clock(5 * DAY, (offset) => saved.push(offset));
  await clock.advance(DAY);
  await clock.advance(0);
  expect(Math.round((saved.at(-1) ?? 0) / DAY)).toBe(6);
  expect(new Float64Array(clock.shared)[0]).toBe(saved.at(-1));
});

test.each([
  ['P40D', '2026-01-31T12:00:00Z', '2026-03-12T12:00:00.000Z'],
  ['P1M', '2026-01-31T12:00:00Z', '2026-02-28T12:00:00.000Z'],
  ['P1M', '2028-01-31T12:00:00Z', '2028-02-29T12:00:00.000Z'],
  ['P1Y', '2028-02-29T00:00:00Z', '2029-02-28T00:00:00.000Z'],
  ['P13M', '2026-12-15T00:00:00Z', '2028-01-15T00:00:00.000Z'],
  ['P2W', '2026-01-01T00:00:00Z', '2026-01-15T00:00:00.000Z'],
  ['PT90M', '2026-01-01T00:00:00Z', '2026-01-01T01:30:00.000Z'],
  ['P1Y2M3DT4H5M6.5S', '2026-01-01T00:00:00Z', '2027-03-04T04:05:06.500Z'],
])('%s after %s is %s', (duration, start, end) => {
  expect(after(new Date(start), duration)?.toISOString()).toBe(end);
});

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '40D',
  '-P1D',
  'P-1D',
  'P1.5D',
  'P1H',
  'PT1D',
  'P1D ',
  'P101Y',
  'P99999999999999999D',
])('the clock refuses the duration "%s"', (duration) =>
  expect(after(new Date('2026-01-01T00:00:00Z'), duration)).toBeUndefined(),
);

test.each([
  ['rate(1 hour)', '2026-01-01T00:30:00Z', '2026-01-01T01:00:00.000Z'],
  ['rate(5 minutes)', '2026-01-01T00:05:00Z', '2026-01-01T00:10:00.000Z'],
  ['cron(0 * * * ? *)', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000Z'],
  ['cron(15 * * * ? *)', '2026-01-01T00:14:59Z', '2026-01-01T00:15:00.000Z'],
  ['cron(20 9 * * ? *)', '2026-01-31T09:20:00Z', '2026-02-01T09:20:00.000Z'],
])('%s fires next after %s at %s', (expression, now, next) => {
  const since = new Date('2026-01-01T00:00:00Z');
  expect(scheduleExpression(expression).next(new Date(now), since).toISOString()).toBe(next);
});

test.each([
  'rate(0 hours)',
  'rate(1 week)',
  'cron(0 * * * * *)',
  'cron(0 0 1 1 ?)',
  'cron(60 * * * ? *)',
  'cron(0 24 * * ? *)',
  'cron(0 0 ? * 2 *)',
  'hourly',
])('the schedule expression %s is refused with one sentence', (expression) =>
  expect(() => scheduleExpression(expression)).toThrow(`${expression} can't be read.`),
);
