import { expect, test as base } from 'vitest';
import { handledEventTypes } from '../../../functions/domain/handled-event-types.ts';
import { billingInMemory, type MemoryFixtures, signed } from '../../fixtures/worlds/billing-world.ts';

const test = base.extend<MemoryFixtures>(billingInMemory());

test('a signature is valid for exactly five minutes', async ({ world }) => {
  const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: {} } };
  const now = Math.floor(Date.now() / 1000);
  expect(await world.receiveWebhook(signed(event, { at: now - 300 }))).toBe(200);
  expect(await world.receiveWebhook(signed(event, { at: now - 301 }))).toBe(400);
});

test('the list of events begins with a second, ends before one, has our types alone', async ({ ada }) => {
  const { world } = ada;
  const from = Math.floor(Date.now() / 1000);
  const { subscription } = await ada.buyPlus();
  await world.advance(10_000);
  await ada.cancel(subscription.id);
  const listed = async (...bounds: [number, number]) => {
    const events: { type: string; created: number }[] = [];
    for await (const event of world.dependencies.billing.eventsBetween(...bounds)) {
      events.push(event as (typeof events)[number]);
    }
    return events;
  };
  const timesIn = async (...bounds: [number, number]) =>
    new Set((await listed(...bounds)).map(({ created }) => created - from));
  expect(await timesIn(from, from + 11)).toEqual(new Set([10, 0]));
  expect(await timesIn(from + 1, from + 11)).toEqual(new Set([10]));
  expect(await timesIn(from, from + 10)).toEqual(new Set([0]));
  const others = (await listed(from, from + 11)).filter(({ type }) => !handledEventTypes.has(type));
  expect(others).toEqual([]);
});
