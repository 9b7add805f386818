import { setTimeout as delay } from 'node:timers/promises';
import type { Stripe } from 'stripe';
import type { Target } from './target.ts';

// Marks what a run has made, for a person who looks at the account.
const TAG = { made_by: 'selfsame-contract' };

// Milliseconds. An advance takes Stripe some seconds, rarely a minute.
const PAUSE = 2_000;
const LONGEST_WAIT = 180_000;

/**
 * Stripe's test mode. Every customer belongs to a test clock
 * (https://docs.stripe.com/billing/testing/test-clocks), which `advance` moves. Deleting the clock deletes its
 * customers and cancels their subscriptions. A clock has at most three customers, and moves by at most two
 * billing periods at a time.
 */
export async function startTestModeTarget(stripe: Stripe): Promise<Target> {
  const clock = await stripe.testHelpers.testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000),
    name: TAG.made_by,
  });
  let time = clock.frozen_time;
  let price: Promise<Stripe.Price> | undefined;

  const eventually: Target['eventually'] = async (read) => {
    for (let waited = 0; ; waited += PAUSE) {
      const found = await read();
      if (found !== undefined) return found;
      if (waited >= LONGEST_WAIT) throw new Error('It did not happen within three minutes.');
      await delay(PAUSE);
    }
  };

  return {
    stripe,
    createCustomer: (params = {}) =>
      stripe.customers.create({ ...params, metadata: { ...TAG, ...params.metadata }, test_clock: clock.id }),
    monthlyPrice: () =>
      (price ??= stripe.prices.create({
        currency: 'usd',
        unit_amount: 500,
        recurring: { interval: 'month' },
        product_data: { name: 'Selfsame contract', metadata: TAG },
        metadata: TAG,
      })),
    now: () => time,
    async advance(seconds) {
      time += seconds;
      await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: time });
      await eventually(async () => {
        const { status } = await stripe.testHelpers.testClocks.retrieve(clock.id);
        if (status === 'internal_failure') throw new Error('The test clock has failed.');
        return status === 'ready' || undefined;
      });
    },
    eventually,
    async close() {
      // A sentence holds even if something can't be removed.
      const remove = (what: string, removal: Promise<unknown>): Promise<unknown> =>
        removal.catch((error: unknown) => console.log(`Left in the account: ${what}. ${String(error)}`));
      await remove(`test clock ${clock.id}`, stripe.testHelpers.testClocks.del(clock.id));
      if (!price) return;
      // Prices can't be deleted, nor products with prices.
      const { id, product } = await price;
      const productId = typeof product === 'string' ? product : product.id;
      await remove(`price ${id}`, stripe.prices.update(id, { active: false }));
      await remove(`product ${productId}`, stripe.products.update(productId, { active: false }));
    },
  };
}
