import { describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';
import { beginOnFree, billing, planTable, tasks } from '../ada.ts';
import { end, lastMail, link, none } from './contract-acts.ts';

const DAY = 86_400_000;
const { now } = beginOnFree();

describe('the holder of a link that ends a contract', () => {
  test('withdraws within the time, also after cancelling, and gets everything back and the acknowledgement', async () => {
    const { id } = billing.subscribe('cus_ada');
    const token = await link();
    await end(token, 'cancel');
    expect(await end(token, 'withdraw')).toMatchObject(none);
    expect(billing.refunds).toEqual([id]);
    expect(planTable.rows.get('ada')?.plan).toBe('free');
    expect(lastMail()?.text).toContain('was received and carried out on January 20, 2026 at 12:00 UTC');
    // A second press.
    expect(await end(token, 'withdraw')).toMatchObject(none);
    expect(billing.refunds).toEqual([id]);
  });

  test.each([
    ['is not offered', false, {}],
    ['was possible until two weeks ago', true, { createdAt: Math.floor((now.getTime() - 15 * DAY) / 1000) }],
    ['is up to support, which made the subscription', true, { userId: undefined }],
    ['would be of what another user bought', true, { userId: 'eve' }],
  ])('can’t withdraw where that %s, but can cancel', async (_, offered, fields) => {
    const { id } = billing.subscribe('cus_ada');
    billing.change(id, fields);
    const token = await link();
    expect((await end(token, 'show', offered)).body['withdrawUntil']).toBeNull();
    expect(await end(token, 'withdraw', offered)).toMatchObject(refused(409, 'withdrawal-over'));
    expect(billing.refunds).toEqual([]);
    expect((await end(token, 'cancel', offered)).status).toBe(200);
  });

  test('has not withdrawn where another user of the customer has', async () => {
    billing.subscribe('cus_ada', { userId: 'eve', state: CANCELED, ended: 'withdrawn' });
    expect(await end(await link(), 'withdraw')).toMatchObject(refused(409, 'withdrawal-over'));
  });

  test('has not withdrawn where one has only ended, and has where another was withdrawn before it', async () => {
    const over = { state: CANCELED, invoicesVoided: true };
    billing.subscribe('cus_ada', over);
    const decide = vi.spyOn(planTable, 'decide');
    expect(await end(await link(), 'withdraw')).toMatchObject(refused(409, 'withdrawal-over'));
    billing.subscribe('cus_ada', { ...over, ended: 'withdrawn', refund: 'done' });
    expect((await end(await link(), 'withdraw')).status).toBe(200);
    expect(decide).not.toHaveBeenCalled();
  });

  test('has withdrawn although the refund failed: the task refunds', async () => {
    const { id } = billing.subscribe('cus_ada');
    const token = await link();
    vi.spyOn(billing, 'refundAndCancel').mockRejectedValueOnce(new Error('lost'));
    expect((await end(token, 'withdraw')).status).toBe(500);
    const task = { work: 'reconcile', customer_id: 'cus_ada', user_id: 'ada' };
    expect([...tasks.items.values()]).toContainEqual(expect.objectContaining(task));
    // The next look at Stripe, here by the page.
    expect(billing.subscriptions.get(id)).toMatchObject({ ended: 'withdrawn', refund: 'due' });
    expect(await end(token, 'show')).toMatchObject(none);
    // A second press.
    expect(await end(token, 'withdraw')).toMatchObject(none);
    expect(billing.refunds).toEqual([id]);
  });
});
