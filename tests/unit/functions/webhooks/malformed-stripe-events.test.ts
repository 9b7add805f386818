import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { Stripe } from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import { billingOver } from '../../../../functions/adapters/stripe/stripe-billing.ts';
import { handledEventTypes } from '../../../../functions/domain/handled-event-types.ts';
import { receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { MemoryBilling } from '../../../fixtures/fakes/memory-billing.ts';
import { markOf } from '../../../../functions/domain/mark.ts';
import { STAGE } from '../../../fixtures/fakes/stage.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { memoryPlans } from '../../../fixtures/fakes/memory-adapters.ts';

const SECRET = 'whsec_local';
const received = { status: 200, body: { received: true } };

let plans = memoryPlans();
let billing: StrictBilling;
let ada = adaOnFree();

watchLog();
beforeEach(() => {
  ada = adaOnFree();
  plans = memoryPlans();
  billing = new StrictBilling();
  billing.customers.set('cus_ada', 'ada');
  plans.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
});

/** Verifies signatures with Stripe's library, and refuses ids that the library can't make an address from. */
class StrictBilling extends MemoryBilling {
  readonly #signed = billingOver(async () => ({ stripe: new Stripe('sk'), webhookSecret: SECRET }), STAGE);

  override async verifyEvent(body: Buffer, signature: string) {
    return this.#signed.verifyEvent(body, signature);
  }

  override async ownerOf(customerId: string) {
    if (encodeURIComponent(customerId).includes('..')) throw new Error('Stripe: invalid path');
    return super.ownerOf(customerId);
  }
}

/** Sends the event as Stripe does, with a signature over its bytes. */
function deliver(event: unknown) {
  const rawBody = JSON.stringify(event) ?? '';
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', SECRET).update(`${at}.${rawBody}`).digest('hex');
  return call(receiveEvent({ ...ada, plans, billing }), {
    rawBody,
    headers: { 'stripe-signature': `t=${at},v1=${signature}` },
  });
}

const eventOf = (type: string, object: object) => ({
  id: 'evt_1',
  object: 'event',
  type,
  created: 1_700_000_000,
  data: { object },
});

test('no signed event is answered with a failure, whatever it holds', async () => {
  const id = fc.oneof(
    fc.constantFrom('cus_ada', 'ada', 'cus_stranger', '__proto__', 'constructor', '../x', '..'),
    // Halves of surrogate pairs too.
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.string({ minLength: 250, maxLength: 400 }),
  );
  const metadata = fc.option(
    fc.oneof(
      fc.record({ user_id: id }, { requiredKeys: [] }),
      id.map((named) => markOf(STAGE, named)),
    ),
  );
  const object = fc.record(
    {
      object: fc.oneof(fc.constantFrom('customer', 'invoice', 'subscription', 'refund'), fc.string()),
      id: fc.option(id),
      customer: fc.option(fc.oneof(id, fc.record({ id }))),
      metadata,
      parent: fc.option(fc.record({ subscription_details: fc.option(fc.record({ metadata })) })),
    },
    { requiredKeys: ['object'] },
  );
  const event = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...handledEventTypes), object)
        .map(([type, of]) => eventOf(type, of)),
    },
    { weight: 1, arbitrary: fc.object().filter((value) => !('object' in value)) },
  );
  await fc.assert(
    fc.asyncProperty(event, async (sent) => {
      expect(await deliver(sent)).toEqual(received);
    }),
    { numRuns: 2_000 },
  );
});
