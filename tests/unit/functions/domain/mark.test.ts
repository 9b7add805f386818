import { describe, expect, test } from 'vitest';
import { isOurs, markOf, ownerIn, RELEASED_MARK } from '../../../../functions/domain/mark.ts';

describe('an object at Stripe', () => {
  test('with the mark of its stage is ours, and names its user', () => {
    expect(ownerIn(markOf('production', 'ada'), 'production')).toEqual({ kind: 'ours', userId: 'ada' });
    expect(ownerIn(markOf('production'), 'production')).toEqual({ kind: 'ours', userId: undefined });
    expect(isOurs(markOf('production'), 'production')).toBe(true);
  });

  test('keeps its user when another product writes its own user_id', () => {
    const metadata = { ...markOf('production', 'ada'), user_id: '42', product: 'theirs', stage: 'live' };
    expect(ownerIn(metadata, 'production')).toEqual({ kind: 'ours', userId: 'ada' });
  });

  test.each([
    ['another stage', markOf('staging', 'ada')],
    ['another stage, with a user_id', { ...markOf('staging', 'ada'), user_id: 'ada' }],
    ['a stage whose name begins like ours', markOf('production-2', 'ada')],
    ['a laptop', markOf('local-1a2b3c4d', 'ada')],
    ['no user behind the slash', { ...markOf('production', '') }],
    ['a customer that we have released', { ...markOf('production', 'ada'), ...RELEASED_MARK }],
  ])('of %s is not ours', (_, metadata) => {
    expect(ownerIn(metadata, 'production')).toEqual({ kind: 'foreign' });
    expect(isOurs(metadata, 'production')).toBe(false);
  });

  test.each([
    ['no metadata', undefined],
    ['null', null],
    ['a user_id, as another product writes it', { user_id: '42' }],
    ['a product and a stage, as another product writes them', { product: 'x', stage: 'production' }],
  ])('with %s has no mark', (_, metadata) => {
    expect(ownerIn(metadata, 'production')).toEqual({ kind: 'unmarked' });
    expect(isOurs(metadata, 'production')).toBe(false);
  });
});
