import { expect, test } from 'vitest';
import { eitherOf } from '../../../schemas/either-of.ts';

test.each([[['Google']], [['Google', 'GitHub']], [['Google', 'GitHub', 'Apple']], [['A', 'B', 'C', 'D']]])(
  'names %j as alternatives like Intl.ListFormat',
  (words) => {
    const format = new Intl.ListFormat('en', { type: 'disjunction' });
    expect(eitherOf(words)).toBe(format.format(words));
  },
);
