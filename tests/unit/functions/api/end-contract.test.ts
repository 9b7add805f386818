import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endContract } from '../../../../functions/api/end-contract.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const email = 'ada@example.com';
const DAY = 86_400_000;
const none = { status: 200, body: { standing: { kind: 'free' }, withdrawUntil: null } };

const now = stopClock('2026-01-20T12:00:00Z');
watchLog();
let world: ReturnType<typeof adaOnFree>;
beforeEach(() => {
  world = adaOnFree();
  world.pool.put({ username: 'ada', email });
  world.addresses.owners.set(email, 'ada');
});

const mailedTo = (address: string) => world.mail.sent.filter(({ to }) => to === address);
const link = () => world.proofs.create({ purpose: 'end-contract', email }, new Date());
const end = (token: string, action: string, offersWithdrawal = true) =>
  call(endContract({ ...world, offersWithdrawal }), { body: { token, action } });

describe('a link that ends a contract', () => {
  test.each([
    ['a guessed token', async () => 'a'.repeat(43)],
    [
      'a day later',
      async () => {
        const token = await link();
        vi.setSystemTime(now.getTime() + DAY);
        return token;
      },
    ],
    [
      'when the account has another address',
      async () => {
        const token = await link();
        world.pool.put({ username: 'ada', email: 'lovelace@example.com' });
        return token;
      },
    ],
    [
      'when nobody has proved the address of the account',
      async () => {
        world.pool.put({ username: 'ada', email, status: 'UNCONFIRMED' });
        return link();
      },
    ],
  ])('does not work: %s', async (_, given) => {
    world.billing.subscribe('cus_ada');
    const token = await given();
    for (const action of ['show', 'cancel', 'withdraw']) {
      expect(await end(token, action)).toMatchObject(refused(410, 'link-invalid'));
    }
    expect(world.billing.refunds).toEqual([]);
  });
});

describe('the holder of the link', () => {
  test('sees the contract, which changes nothing', async () => {
    const token = await link();
    expect(await end(token, 'show')).toMatchObject(none);
    const { createdAt, currentPeriodEnd } = world.billing.subscribe('cus_ada');
    const on = new Date(currentPeriodEnd * 1000).toISOString();
    expect((await end(token, 'show', false)).body).toMatchObject({
      standing: { plan: 'plus', kind: 'renews', on, charges: [{ on, money: { amount: 500 } }] },
      withdrawUntil: null,
    });
    expect((await end(token, 'show')).body['withdrawUntil']).toBe(
      new Date(createdAt * 1000 + 15 * DAY).toISOString(),
    );
    expect(world.mail.sent).toEqual([]);
  });

  test('cancels to the end of the paid period, once, and gets the acknowledgement', async () => {
    const { currentPeriodEnd } = world.billing.subscribe('cus_ada');
    const token = await link();
    const until = new Date(currentPeriodEnd * 1000).toISOString();
    expect((await end(token, 'cancel')).body).toMatchObject({ standing: { kind: 'ends', on: until } });
    expect(world.planTable.rows.get('ada')).toMatchObject({ plan: 'plus', plan_expires_at: until });
    expect(await end(token, 'cancel')).toMatchObject(refused(409, 'already-cancelled'));
    expect(mailedTo(email).at(-1)?.email.subject).toBe('Your Plus subscription is canceled');
  });

  test('cancels a complimentary plan, and a plan whose payment is due', async () => {
    world.planTable.put({ id: 'ada', plan: 'plus', version: 1 });
    const token = await link();
    expect((await end(token, 'show')).body['standing']).toMatchObject({ kind: 'complimentary' });
    expect((await end(token, 'cancel')).body).toMatchObject({
      standing: { kind: 'ends', on: '2026-01-31T23:59:59.999Z', renewal: 'purchase' },
    });

    world.planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
    const { id } = world.billing.subscribe('cus_ada');
    world.billing.change(id, { state: { kind: 'past-due' } });
    expect((await end(token, 'show')).body['standing']).toMatchObject({ kind: 'failed', cause: null });
    expect(await end(token, 'cancel')).toMatchObject(none);
  });

  test('has nothing to cancel without a row, and sees no contract after a deletion', async () => {
    const token = await link();
    world.planTable.rows.clear();
    expect(await end(token, 'show')).toMatchObject(none);
    expect(await end(token, 'cancel')).toMatchObject(refused(404, 'no-active-subscription'));
    expect(await end(token, 'withdraw')).toMatchObject(refused(409, 'withdrawal-over'));
    world.planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
    world.billing.subscribe('cus_ada');
    const decide = world.planTable.decide.bind(world.planTable);
    let decisions = 0;
    vi.spyOn(world.planTable, 'decide').mockImplementation(async (row, ...rest) => {
      decisions += 1;
      if (decisions === 1) return decide(row, ...rest);
      world.planTable.rows.clear();
      return undefined;
    });
    expect(await end(token, 'cancel')).toMatchObject(none);
    expect(mailedTo(email)).toEqual([]);
  });

  test('ends at once a plan that support has paused, which shows as paused', async () => {
    const { id } = world.billing.subscribe('cus_ada', { state: { kind: 'paused' } });
    const token = await link();
    expect((await end(token, 'show')).body).toMatchObject({
      standing: { plan: 'plus', kind: 'paused', on: null },
    });
    expect(await end(token, 'cancel')).toMatchObject(none);
    expect(world.billing.subscriptions.get(id)?.state.kind).toBe('canceled');
  });
});
