import { afterEach, expect, test } from 'vitest';
import { Clock } from '../../base/clock.ts';
import { FunctionError } from '../../aws/lambda/function-error.ts';
import { Schedules } from '../../aws/scheduler/schedules.ts';
import { objectIn } from '../../console/json-object.ts';
import { Store } from '../../base/store.ts';
import { template } from '../fixtures/local-stack.ts';

const HOUR = 3_600_000;
let clock: Clock;
afterEach(() => clock.stop());

const schedule = (expression: string, properties: Record<string, unknown> = {}) => ({
  Type: 'AWS::Scheduler::Schedule',
  Properties: {
    Name: 'selfsame-staging-sweep',
    ScheduleExpression: expression,
    Target: { Arn: 'arn:fn', Input: '{"deep":true}' },
    ...properties,
  },
});

/** Schedules that start `ahead` of the machine's time. Records every invocation. */
async function world(
  expression: string,
  properties: Record<string, unknown> = {},
  { ahead = 0, store = new Store(':memory:') } = {},
) {
  clock = new Clock(ahead);
  const fired: { arn: string; event: unknown; at: Date }[] = [];
  let fails = false;
  const schedules = new Schedules({
    clock,
    store,
    invoke: (arn, event) => {
      fired.push({ arn, event, at: clock.now() });
      return fails
        ? Promise.reject(new FunctionError({ errorType: 'RangeError', errorMessage: 'too far' }))
        : Promise.resolve({ done: fired.length });
    },
  });
  await schedules.update(template({ Sweep: schedule(expression, properties) }));
  return { schedules, fired, store, fail: () => (fails = true) };
}

test('a schedule fires its function with its input when it is due, and once for a whole jump', async () => {
  const { fired, schedules } = await world('rate(1 hour)');
  await clock.advance(0.5 * HOUR);
  expect(fired).toEqual([]);
  await clock.advance(HOUR);
  expect(fired).toMatchObject([{ arn: 'arn:fn', event: { deep: true } }]);
  await clock.advance(960 * HOUR);
  expect(fired).toHaveLength(2);
  expect(schedules.list()).toMatchObject([
    {
      name: 'sweep',
      expression: 'rate(1 hour)',
      last: { outcome: { kind: 'succeeded', result: { done: 2 } } },
    },
  ]);
});

test('a schedule is fired on request by its name without the stack, and keeps its next time', async () => {
  const { schedules } = await world('rate(1 hour)');
  const next = schedules.list()[0]?.nextAt;
  expect(await schedules.fire('sweep')).toEqual({ kind: 'succeeded', result: { done: 1 } });
  expect(schedules.list()[0]?.nextAt).toBe(next);
  expect(await schedules.fire('other')).toBeUndefined();
});

test.each([
  ['{"task":"dry-run","days":30}', { task: 'dry-run', days: 30 }],
  ['{}', undefined],
  ['{"task"', null],
  ['[{}]', null],
  ['null', null],
  ['"dry-run"', null],
])('the body %s of a request to the console is read as the event %j', (text, event) => {
  expect(objectIn(text)).toEqual(event);
});

test('a schedule that came due while the world was stopped fires once at the next start', async () => {
  const { store } = await world('rate(1 hour)');
  await clock.stop();
  const { fired } = await world('rate(1 hour)', {}, { ahead: 5.5 * HOUR, store });
  await clock.advance(0);
  expect(fired).toHaveLength(1);
  await clock.advance(0.2 * HOUR);
  expect(fired).toHaveLength(1);
});

test('a time zone other than UTC is refused with one sentence', async () => {
  await expect(world('rate(1 hour)', { ScheduleExpressionTimezone: 'Europe/Berlin' })).rejects.toThrow(
    /Sweep \(AWS::Scheduler::Schedule\): its property ScheduleExpressionTimezone/,
  );
});
