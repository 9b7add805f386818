import { describe, expect, test, vi } from 'vitest';
import * as fc from 'fast-check';
import { type Deed, type History, quietly, race } from './history.ts';
import { counterexample } from './run.ts';
import { Tally } from './counters.ts';
import { wrongProducts } from './wrong-products.ts';

vi.spyOn(console, 'info').mockImplementation(() => {});
vi.spyOn(console, 'error').mockImplementation(() => {});

// The rarest of the others shows in less than a hundred histories.
const HISTORIES = 300;

const once = (...deeds: Deed[]): fc.Arbitrary<History> =>
  fc.constant({
    start: '2030-01-15T12:00:00.000Z',
    hourly: false,
    // No webhook comes.
    steps: quietly(...deeds).map((step) => ({ ...step, post: 'never' as const })),
  });
const pays = (session: number, card: 'pays' | 'fails at renewals' = 'pays'): Deed => ({
  do: 'pay',
  session,
  card,
});
const opens: Deed = { do: 'open a checkout' };

/** Where chance would take long to come to what shows it: the histories in which it may. */
const narrower: Record<string, fc.Arbitrary<History>> = {
  'writes a decision over a younger one': race,
  'takes Plus away when the first try of a renewal fails': once(opens, pays(0, 'fails at renewals'), {
    do: 'time passes',
    hours: 32 * 24,
  }),
  'ends an expired plan without asking Stripe': once(
    opens,
    pays(0),
    { do: 'time passes', hours: 26 * 24 },
    { do: 'cancel', what: 'what the page shows', who: 'ada' },
    { do: 'renew in the portal' },
    { do: 'time passes', hours: 6 * 24 },
    { do: 'read the plan' },
  ),
  'keeps the money of a second subscription': once(
    opens,
    { do: 'a second checkout opens' },
    pays(0),
    pays(1),
  ),
};

describe('the enemy finds out a product that', () => {
  test.each(Object.entries(wrongProducts))('%s', async (name, build) => {
    const found = await counterexample({
      seed: 1,
      runs: HISTORIES,
      tally: new Tally(),
      build,
      shrink: false,
      histories: narrower[name],
    });
    process.stdout.write(`${name}: history ${found?.runs ?? 'none'}: ${found?.error ?? ''}\n`);
    expect(found).toBeDefined();
  });

  test.each(Object.entries(narrower))('and finds nothing where it is right: not %s', async (_, histories) => {
    const found = await counterexample({ seed: 1, runs: 100, tally: new Tally(), histories, shrink: false });
    expect(found?.text).toBeUndefined();
  });
});
