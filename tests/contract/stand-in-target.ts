import { startStripe } from '../fixtures/worlds/stripe-stand-in.ts';
import type { Target } from './target.ts';

/** The stand-in in this process. `advance` moves its clock. */
export async function startStandInTarget(): Promise<Target> {
  const world = await startStripe();
  const { stripe } = world;
  return {
    stripe,
    createCustomer: (params = {}) => stripe.customers.create(params),
    monthlyPrice: () =>
      stripe.prices.create({
        currency: 'usd',
        unit_amount: 500,
        recurring: { interval: 'month' },
        product_data: { name: 'Plus' },
      }),
    now: () => world.now(),
    advance: async (seconds) => {
      await world.clock.advance(seconds * 1000);
    },
    // Everything here happens before the answer.
    eventually: async (read) => {
      const found = await read();
      if (found === undefined) throw new Error('It did not happen.');
      return found;
    },
    pay: async (session, number) => {
      const { kind } = await world.submitCard(session, number === undefined ? {} : { number });
      if (kind !== 'done') throw new Error(`The page answered: ${kind}.`);
    },
    blockFinalization: (customer) => world.service.changeCustomer(customer, { finalizes: false }),
    close: () => world.close(),
  };
}
