import { describe, expect, test } from 'vitest';
import { type Datapoints, isInAlarm, metricMath } from '../../fixtures/aws/cloud-watch.ts';

/** Oldest first, as AWS's documentation writes them: `0` is fine, `X` is breaching, `-` is missing. */
const read = (text: string): Datapoints =>
  text
    .split(' ')
    .map((each) => (each === '-' ? undefined : each === 'X' ? 1 : 0))
    .toReversed();

describe('the examples of CloudWatch’s documentation', () => {
  test.each([
    [3, '0 - X - X', false],
    [3, '0 - - - -', false],
    [3, '- - - - -', false],
    [3, '0 X X - X', true],
    [3, '- - X - -', false],
    [3, '- - - - X', false],
    [2, '0 - X - X', true],
    [2, '0 0 X 0 X', true],
    [2, '0 - X - -', false],
    [2, '- - - - 0', false],
    [2, '- - - X -', false],
  ])('of %i in three: %s', (DatapointsToAlarm, text, fires) => {
    expect(isInAlarm({ Threshold: 1, EvaluationPeriods: 3, DatapointsToAlarm }, read(text))).toBe(fires);
  });
});

describe('metric math', () => {
  test.each<[string, Record<string, number | undefined>, number | undefined]>([
    ['errors - FILL(refusals, 0)', { errors: 2, refusals: undefined }, 2],
    ['errors - FILL(refusals, 0)', { errors: undefined, refusals: 1 }, undefined],
    ['SUM([m0, m1])', { m0: 3, m1: undefined }, 3],
    ['SUM([m0, m1])', { m0: undefined, m1: undefined }, undefined],
    ['IF(tries >= 3 AND successes < 1, 1, 0)', { tries: 3, successes: 0 }, 1],
    ['IF(tries >= 3 AND successes < 1, 1, 0)', { tries: 3, successes: 1 }, 0],
    ['IF(tries >= 3 AND successes < 1, 1, 0)', { tries: 3, successes: undefined }, undefined],
    ['IF(FILL(a, 0) >= 2 OR FILL(b, 0) >= 3, 1, 0)', { a: 2, b: undefined }, 1],
    ['IF(FILL(a, 0) >= 2 OR FILL(b, 0) >= 3, 1, 0)', { a: undefined, b: 3 }, 1],
    ['IF(FILL(a, 0) >= 2 OR FILL(b, 0) >= 3, 1, 0)', { a: 1, b: 2 }, 0],
  ])('%s of %o is %s', (expression, values, result) => {
    expect(metricMath(expression, values)).toBe(result);
  });
});
