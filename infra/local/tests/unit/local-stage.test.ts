import { expect, test } from 'vitest';
import { Store } from '../../base/store.ts';
import { localStage, withStage } from '../../stack/local-stage.ts';
import { template } from '../fixtures/local-stack.ts';

test('a local world has its own stage at Stripe, and keeps it', () => {
  const [store, other] = [new Store(':memory:'), new Store(':memory:')];
  const stage = localStage(store);
  expect(stage).toMatch(/^local-[\da-f]{8}$/);
  expect(localStage(store)).toBe(stage);
  expect(localStage(other)).not.toBe(stage);
  store.close();
  other.close();
});

test('functions that create something at Stripe are given that stage and its taxes, and others no variable', () => {
  const fn = (Variables: Record<string, string>) => ({
    Type: 'AWS::Lambda::Function',
    Properties: { Environment: { Variables } },
  });
  const stack = withStage(
    template({
      Buys: fn({ STAGE: 'staging', TAX: 'none' }),
      Ends: fn({ STAGE: 'staging', SITE_URL: 'https://a.b' }),
      Reads: fn({ SITE_URL: 'https://a.b' }),
      Bare: { Type: 'AWS::Lambda::Function', Properties: {} },
    }),
    'local-1',
    'automatic',
  );
  expect(stack.of('AWS::Lambda::Function').map(({ properties }) => properties)).toEqual([
    { Environment: { Variables: { STAGE: 'local-1', TAX: 'automatic' } } },
    { Environment: { Variables: { STAGE: 'local-1', SITE_URL: 'https://a.b' } } },
    { Environment: { Variables: { SITE_URL: 'https://a.b' } } },
    {},
  ]);
});
