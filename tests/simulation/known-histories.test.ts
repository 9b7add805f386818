import { beforeEach, expect, test, vi } from 'vitest';
import type { Deed } from './history.ts';
import { chargedTwice } from './subscriber.ts';
import { Tally } from './counters.ts';
import { World } from './world.ts';

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

const pays = (session: number): Deed => ({ do: 'pay', session, card: 'pays' });
const paysTwice: Deed[] = [{ do: 'open a checkout' }, { do: 'a second checkout opens' }, pays(0), pays(1)];

/** Every webhook is lost. */
async function after(...deeds: Deed[]): Promise<World> {
  const world = new World({ start: '2030-01-15T12:00:00.000Z', hourly: false, tally: new Tally() });
  try {
    for (const deed of deeds) {
      await world.step({ deed, strike: undefined, beside: undefined, turns: [], post: 'never' });
    }
    await world.settle();
    return world;
  } finally {
    world.end();
  }
}

test('somebody who has paid twice has one of the payments back, though no webhook came', async () => {
  const { payments } = (await after(...paysTwice)).model();
  expect(payments).toHaveLength(2);
  expect(payments.filter(({ refunded }) => refunded)).toHaveLength(1);
});

test('somebody who has paid twice and leaves before it was seen has one of the payments back', async () => {
  const world = await after(...paysTwice, { do: 'time passes', hours: 1 }, { do: 'delete the account' });
  expect(chargedTwice(world.model(), 0)).toEqual([]);
});
