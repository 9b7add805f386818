import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endContract } from '../../../../functions/api/end-contract.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';
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

describe('the holder of a link that ends a contract', () => {
  test('withdraws within the time, also after cancelling, and gets everything back and the acknowledgement', async () => {
    const { id } = world.billing.subscribe('cus_ada');
    const token = await link();
    await end(token, 'cancel');
    expect(await end(token, 'withdraw')).toMatchObject(none);
    expect(world.billing.refunds).toEqual([id]);
    expect(world.planTable.rows.get('ada')?.plan).toBe('free');
    expect(mailedTo(email).at(-1)?.email.text).toContain(
      'was received and carried out on January 20, 2026 at 12:00 UTC',
    );
    // A second press.
    expect(await end(token, 'withdraw')).toMatchObject(none);
    expect(world.billing.refunds).toEqual([id]);
  });

  test.each([
    ['is not offered', false, {}],
    ['was possible until two weeks ago', true, { createdAt: Math.floor((now.getTime() - 15 * DAY) / 1000) }],
    ['is up to support, which made the subscription', true, { userId: undefined }],
    ['would be of what another user bought', true, { userId: 'eve' }],
  ])('can’t withdraw where that %s, but can cancel', async (_, offered, fields) => {
    const { id } = world.billing.subscribe('cus_ada');
    world.billing.change(id, fields);
    const token = await link();
    expect((await end(token, 'show', offered)).body['withdrawUntil']).toBeNull();
    expect(await end(token, 'withdraw', offered)).toMatchObject(refused(409, 'withdrawal-over'));
    expect(world.billing.refunds).toEqual([]);
    expect((await end(token, 'cancel', offered)).status).toBe(200);
  });

  test('has not withdrawn where another user of the customer has', async () => {
    world.billing.subscribe('cus_ada', { userId: 'eve', state: CANCELED, ended: 'withdrawn' });
    expect(await end(await link(), 'withdraw')).toMatchObject(refused(409, 'withdrawal-over'));
  });

  test('has not withdrawn where one has only ended, and has where another was withdrawn before it', async () => {
    world.billing.subscribe('cus_ada', { state: CANCELED, invoicesVoided: true });
    const decide = vi.spyOn(world.planTable, 'decide');
    expect(await end(await link(), 'withdraw')).toMatchObject(refused(409, 'withdrawal-over'));
    world.billing.subscribe('cus_ada', {
      state: CANCELED,
      invoicesVoided: true,
      ended: 'withdrawn',
      refund: 'done',
    });
    expect((await end(await link(), 'withdraw')).status).toBe(200);
    expect(decide).not.toHaveBeenCalled();
  });

  test('has withdrawn although the refund failed: the task refunds', async () => {
    const { id } = world.billing.subscribe('cus_ada');
    const token = await link();
    vi.spyOn(world.billing, 'refundAndCancel').mockRejectedValueOnce(new Error('lost'));
    expect((await end(token, 'withdraw')).status).toBe(500);
    const task = { work: 'reconcile', customer_id: 'cus_ada', user_id: 'ada' };
    expect([...world.tasks.items.values()]).toContainEqual(expect.objectContaining(task));
    // The next look at Stripe, here by the page.
    expect(world.billing.subscriptions.get(id)).toMatchObject({ ended: 'withdrawn', refund: 'due' });
    expect(await end(token, 'show')).toMatchObject(none);
    // A second press.
    expect(await end(token, 'withdraw')).toMatchObject(none);
    expect(world.billing.refunds).toEqual([id]);
  });
});
