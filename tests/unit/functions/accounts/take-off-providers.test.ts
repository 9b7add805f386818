import { beforeEach, expect, test, vi } from 'vitest';
import { takeOffProviders } from '../../../../functions/accounts/take-off-providers.ts';
import type { AddressChange } from '../../../../schemas/rows/address-change.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';

const now = new Date('2026-01-20T12:00:00Z');
const [email, other] = ['ada@example.com', 'lovelace@example.com'];
const google = { provider: 'google', id: '1' } as const;
const github = { provider: 'github', id: '2' } as const;
const apple = { provider: 'apple', id: '3' } as const;

let world: ReturnType<typeof addressDependencies>;
beforeEach(() => {
  world = addressDependencies();
  world.pool.put({ username: 'ada', email, identities: [google, github] });
});

const write = (linked: AddressChange['linked']) =>
  world.addressChanges.items.set('ada', { id: 'ada', version: 1, linked });
const [ofGoogle, ofGithub] = [
  { ...google, address: email },
  { ...github, address: email },
];
const takeOff = (disconnects?: typeof google | typeof github | typeof apple) =>
  takeOffProviders(world, world.pool.of('ada'), email, now, disconnects);
const linkedNow = () => world.pool.of('ada').identities;
const item = () => world.addressChanges.items.get('ada');

test('a provider stays whose own address was proved, and goes with another or an unknown one', async () => {
  write([ofGoogle, { ...github, address: other }]);
  expect(await takeOff()).toEqual(['github']);
  expect(linkedNow()).toEqual([google]);
  expect(item()?.linked).toEqual([ofGoogle]);
  write([google, { ...apple, address: email }]);
  expect(await takeOff()).toEqual(['google']);
});

test('the provider that made the account stays, whatever its address', async () => {
  world.pool.put({ username: 'google_1', sub: 'ada', email, identities: [google, github] });
  const account = world.pool.of('google_1');
  expect(await takeOffProviders(world, account, email, now)).toEqual(['github']);
});

test('nothing is written where every provider stays', async () => {
  write([ofGoogle, ofGithub]);
  const changeItem = vi.spyOn(world.addressChanges, 'write');
  expect(await takeOff()).toEqual([]);
  expect(changeItem).not.toHaveBeenCalled();
});

test('a disconnected provider goes for good, once, also with the proved address or before it is linked', async () => {
  write([ofGoogle, ofGithub]);
  expect(await takeOff(google)).toEqual(['google']);
  expect(item()).toMatchObject({ disconnected: [google], linked: [ofGithub] });
  expect(linkedNow()).toEqual([github]);
  const unlink = vi.spyOn(world.pool, 'unlink');
  expect(await takeOff(apple)).toEqual(['apple']);
  expect(unlink.mock.calls).toEqual([[apple]]);
  expect(item()?.disconnected).toEqual([google, apple]);
  world.pool.put({ username: 'ada', email, identities: [google, github] });
  expect(await takeOff(google)).toEqual(['google']);
  expect(item()?.disconnected).toEqual([google, apple]);
});
