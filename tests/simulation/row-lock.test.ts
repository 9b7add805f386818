import { describe, expect, test } from 'vitest';
import { defects } from './row-lock/defects.ts';
import type { Product } from './row-lock/model.ts';
import { replay } from './row-lock/replay.ts';
import { type ActorName, type BeginningName, beginnings, worldWith } from './row-lock/scenarios.ts';
import { search, tracesOf } from './row-lock/search.ts';

// The product's log lines.
console.info = console.error = () => {};

const ENDED = 'Plus has ended, and no webhook came';
const RENEWED = 'Plus was renewed in the portal, and no webhook came';
const PAID = 'a payment and its webhook';
const BUYS = 'a tab that buys';

const scenarios: [beginning: BeginningName, actors: ActorName[]][] = [
  [ENDED, [PAID, BUYS, 'the sweep', 'the catch-up', 'a cancellation']],
  [ENDED, [BUYS, 'another tab that buys', 'the sweep']],
  [ENDED, [PAID, BUYS, 'the sweep', 'the deletion']],
  [RENEWED, ['the webhook', 'the sweep', 'a cancellation', 'a tab that keeps Plus']],
  [RENEWED, ['the webhook', 'the sweep', 'a cancellation', 'the deletion']],
  ['two checkouts are open', [PAID, "the second tab's payment and its webhook"]],
];
const shown = new Set<string>();

describe.each(scenarios)('%s: %s', (beginning, actors) => {
  const start = worldWith(beginnings[beginning], actors);

  test('no interleaving breaks an invariant', () => {
    const { states, steps, violation } = search(start);
    process.stdout.write(`${states} states, ${steps} steps\n`);
    expect(violation).toBeUndefined();
  });

  test('the handlers do step by step what the model does', async () => {
    const traces = tracesOf(start, shown, 15);
    process.stdout.write(`${traces.length} traces, ${traces.flat().length} steps\n`);
    expect(traces.length).toBeGreaterThan(0);
    for (const trace of traces) await replay(beginnings[beginning], start, trace);
  });
});

const wrongProducts: [product: Product, violation: string, beginning: BeginningName, actors: ActorName[]][] =
  [
    [
      'overwrites newer decisions',
      'An older decision has replaced a newer one.',
      RENEWED,
      ['the webhook', 'the sweep', 'a cancellation'],
    ],
    [
      'overwrites newer decisions',
      'The row of a deleted account has come back.',
      RENEWED,
      ['the sweep', 'the deletion'],
    ],
    [
      'reads Stripe before the row',
      'An older decision has replaced a newer one.',
      RENEWED,
      ['the webhook', 'the sweep', 'a cancellation'],
    ],
    [
      'deletes without closing the row',
      'The user is on Plus without a payment.',
      ENDED,
      [PAID, BUYS, 'the deletion'],
    ],
    [
      'trusts a single other decision',
      'The plan is not what Stripe says: a decision was lost.',
      ENDED,
      [PAID, BUYS, 'the sweep'],
    ],
  ];

test.each(wrongProducts)('a product that %s is found: %s', async (product, message, beginning, actors) => {
  const start = worldWith(beginnings[beginning], actors, product);
  const { violation } = search(start);
  expect(violation?.message).toBe(message);
  // The real handlers with the same defect take the same way.
  const defect = defects[product];
  if (violation && defect) await replay(beginnings[beginning], start, violation.trace, defect);
});

test('the handlers without the defect leave the way of a product that overwrites newer decisions', async () => {
  const actors: ActorName[] = ['the webhook', 'the sweep', 'a cancellation'];
  const start = worldWith(beginnings[RENEWED], actors, 'overwrites newer decisions');
  const { trace = [] } = search(start).violation ?? {};
  await expect(replay(beginnings[RENEWED], start, trace)).rejects.toThrow('After step');
});
