import { expect, test as base } from 'vitest';
import type { FaultName } from '../../../infra/local/vendors/stripe/faults.ts';
import type { MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';
import { type Ada, adapterFixtures, PAST_DUE_CARD } from './adapter-fixtures.ts';

const test = base.extend<Omit<MemoryFixtures, 'ada'> & { ada: Ada }>(adapterFixtures);

const refuse = (ada: Ada, fault: FaultName, method: 'GET' | 'POST', path: string) =>
  ada.world.stripe.service.faults.addLasting({ fault, method, path });

test('a duplicate is refunded and ended, and nothing is left, though its marks are not allowed', async ({
  ada,
}) => {
  await ada.subscribe();
  const second = await ada.subscribe();
  refuse(ada, 'bad-request', 'POST', '/v1/subscriptions/:id');
  expect((await ada.decide())?.unsettled).toBeUndefined();
  expect(await ada.world.refunds()).toEqual([PRICE]);
  expect((await ada.atStripe(second)).status).toBe('canceled');
});

test('the invoices of an ended subscription are void, and nothing is left, though its mark is not allowed', async ({
  ada,
}) => {
  const id = await ada.subscribe(PAST_DUE_CARD);
  await ada.world.advance(32 * DAY);
  await ada.stripe.subscriptions.cancel(id);
  refuse(ada, 'bad-request', 'POST', '/v1/subscriptions/:id');
  expect((await ada.decide())?.unsettled).toBeUndefined();
  expect((await ada.stripe.invoices.list({ subscription: id, status: 'open' })).data).toEqual([]);
});

test('a list of subscriptions that is said to be missing takes no payer off Plus', async ({ ada }) => {
  await ada.subscribe();
  await ada.decide();
  refuse(ada, 'not-found', 'GET', '/v1/subscriptions');
  await expect(ada.decide()).rejects.toThrow('No such');
  expect(await ada.row()).toMatchObject({ plan: 'plus' });
});

test('expiring a session that is paid is no error', async ({ ada }) => {
  const session = await ada.openSession();
  await ada.pay(session);
  await expect(ada.adapter.expireCheckout(session.id)).resolves.toBeUndefined();
});

test('a plan whose invoices support sends is decided without the list of invoices, which only a receipt needs', async ({
  ada,
}) => {
  const id = await ada.subscribe();
  await ada.stripe.subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 10 });
  refuse(ada, 'bad-request', 'GET', '/v1/invoices');
  await ada.decide();
  expect(await ada.row()).toMatchObject({ plan: 'plus', stripe_subscription_id: id });
});
