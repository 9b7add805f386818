import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  carryOutAddressChange,
  makeAddressChange,
} from '../../../../functions/accounts/make-address-change.ts';
import type { WaitingChange } from '../../../../schemas/rows/address-change.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = new Date('2026-01-20T12:00:00Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
const [from, to] = ['ada@example.com', 'lovelace@example.com'];

watchLog();
let world: ReturnType<typeof addressDependencies>;
beforeEach(() => {
  world = addressDependencies();
  world.pool.put({ username: 'ada', email: from });
  world.addresses.owners.set(from, 'ada');
  world.planTable.put({ id: 'ada', address: from });
});

const requested: WaitingChange = { id: '1', from, to, requested_at: at(-60), due_at: at(60) };
const itemWith = (waiting: WaitingChange) => ({ id: 'ada', version: 1, waiting });
const waits = (fields: Partial<WaitingChange> = {}) =>
  world.addressChanges.items.set('ada', itemWith({ ...requested, proved: true, ...fields }));
const make = () => makeAddressChange(world, 'ada', now);
const waiting = () => world.addressChanges.items.get('ada')?.waiting;
const mailed = () => world.mail.sent.map(({ to: mailbox, email }) => [mailbox, email.name]);

describe('a change of address', () => {
  test('is none without a request, and one that the account has taken back is given up', async () => {
    expect(await make()).toBe('none');
    waits({ approved: true });
    world.planTable.put({ id: 'ada', address: from, valid_since: at(-59) });
    expect(await make()).toBe('none');
    expect(waiting()).toBeUndefined();
    expect(world.pool.of('ada').email).toBe(from);
  });

  test('that has begun is made, although it was taken back since', async () => {
    waits({ approved: true, begun: true });
    world.planTable.put({ id: 'ada', address: from, valid_since: at(-1) });
    expect(await make()).toBe('changed');
    expect(world.pool.of('ada').email).toBe(to);
  });

  test('of an account that is gone ends without a mail', async () => {
    waits({ approved: true });
    await world.pool.remove('ada');
    expect(await make()).toBe('none');
    expect(waiting()).toBeUndefined();
    waits({ approved: true });
    world.pool.put({ username: 'ada', email: from });
    vi.spyOn(world.pool, 'find').mockResolvedValue(undefined);
    expect(await make()).toBe('none');
    expect(mailed()).toEqual([]);
  });

  test('that another request ends meanwhile is mailed by that one', async () => {
    waits({ approved: true });
    const writeAddress = world.planTable.writeAddress.bind(world.planTable);
    vi.spyOn(world.planTable, 'writeAddress').mockImplementationOnce(async (...given) => {
      waits({ id: '2', proved: undefined });
      return writeAddress(...given);
    });
    expect(await make()).toBe('changed');
    expect(mailed()).toEqual([]);
    expect(waiting()?.id).toBe('2');
  });

  test('is tried three times while Cognito refuses, and is made if only its answer was lost', async () => {
    waits({ approved: true });
    const setAddress = vi.spyOn(world.pool, 'setAddress');
    setAddress.mockRejectedValue(new Error('Cognito is down.'));
    await expect(make()).rejects.toThrow('Cognito is down.');
    expect(setAddress).toHaveBeenCalledTimes(3);
    setAddress.mockReset().mockResolvedValue(false);
    await expect(make()).rejects.toThrow('at every try');
    setAddress.mockImplementation(async () => {
      world.pool.put({ username: 'ada', email: to });
      throw new Error('The answer was lost.');
    });
    expect(await make()).toBe('changed');
  });

  test('takes off a provider with another address, and ends every session', async () => {
    world.pool.put({ username: 'ada', email: from, identities: [{ provider: 'google', id: '1' }] });
    waits({ approved: true });
    expect(await make()).toBe('changed');
    expect(world.pool.of('ada')).toMatchObject({ identities: [], sessionsEnded: ['correct horse'] });
    expect(world.planTable.rows.get('ada')?.valid_since).toBeDefined();
  });
});

describe('the task of a change of address', () => {
  const carryOut = () => carryOutAddressChange(world, 'ada', now);

  test('comes again when no approval is pending, to the second', async () => {
    waits({ due_at: at(1) });
    expect(await carryOut()).toEqual(new Date(at(1)));
    waits({ due_at: at(0), proved: undefined });
    expect(await carryOut()).toBeUndefined();
    expect(waiting()).toBeUndefined();
  });

  test('leaves a change that another request is making, and one that is over', async () => {
    waits({ due_at: at(0), proved: undefined, begun: true });
    vi.spyOn(world.addressChanges, 'read').mockResolvedValueOnce(itemWith(requested));
    expect(await carryOut()).toBeUndefined();
    expect(waiting()).toMatchObject({ begun: true });
    world.addressChanges.items.clear();
    expect(await carryOut()).toBeUndefined();
  });
});
