import { describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { beginOnFree, billing, mail, planTable, pool } from '../ada.ts';
import { end, lastMail, link, none } from '../plans/contract-acts.ts';

const email = 'ada@example.com';
const DAY = 86_400_000;
const { now } = beginOnFree();

describe('a link that ends a contract', () => {
  /** Changes after the link was mailed. */
  const changes: Record<string, () => unknown> = {
    'a day later': () => vi.setSystemTime(now.getTime() + DAY),
    'when the account has another address': () =>
      pool.put({ username: 'ada', email: 'lovelace@example.com' }),
    'when nobody has proved the address of the account': () =>
      pool.put({ username: 'ada', email, status: 'UNCONFIRMED' }),
  };

  test.each(['with a guessed token', ...Object.keys(changes)])('does not work %s', async (when) => {
    billing.subscribe('cus_ada');
    const token = changes[when] ? await link() : 'a'.repeat(43);
    changes[when]?.();
    for (const action of ['show', 'cancel', 'withdraw']) {
      expect(await end(token, action)).toMatchObject(refused(410, 'link-invalid'));
    }
    expect(billing.refunds).toEqual([]);
  });
});

describe('the holder of the link', () => {
  test('sees the contract, which changes nothing', async () => {
    const token = await link();
    expect(await end(token, 'show')).toMatchObject(none);
    const { createdAt, currentPeriodEnd } = billing.subscribe('cus_ada');
    const on = new Date(currentPeriodEnd * 1000).toISOString();
    expect((await end(token, 'show', false)).body).toMatchObject({
      standing: { plan: 'plus', kind: 'renews', on, charges: [{ on, money: { amount: 500 } }] },
      withdrawUntil: null,
    });
    expect((await end(token, 'show')).body['withdrawUntil']).toBe(
      new Date(createdAt * 1000 + 15 * DAY).toISOString(),
    );
    expect(mail.sent).toEqual([]);
  });

  test('cancels to the end of the paid period, once, and gets the acknowledgement', async () => {
    const { currentPeriodEnd } = billing.subscribe('cus_ada');
    const token = await link();
    const until = new Date(currentPeriodEnd * 1000).toISOString();
    expect((await end(token, 'cancel')).body).toMatchObject({ standing: { kind: 'ends', on: until } });
    expect(planTable.rows.get('ada')).toMatchObject({ plan: 'plus', plan_expires_at: until });
    expect(await end(token, 'cancel')).toMatchObject(refused(409, 'already-cancelled'));
    expect(lastMail()?.subject).toBe('Your Plus subscription is canceled');
  });

  test('cancels a complimentary plan, and a plan whose payment is due', async () => {
    planTable.put({ id: 'ada', plan: 'plus', version: 1 });
    const token = await link();
    expect((await end(token, 'show')).body['standing']).toMatchObject({ kind: 'complimentary' });
    expect((await end(token, 'cancel')).body).toMatchObject({
      standing: { kind: 'ends', on: '2026-01-31T23:59:59.999Z', renewal: 'purchase' },
    });

    planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
    const { id } = billing.subscribe('cus_ada');
    billing.change(id, { state: { kind: 'past-due' } });
    expect((await end(token, 'show')).body['standing']).toMatchObject({ kind: 'failed', cause: null });
    expect(await end(token, 'cancel')).toMatchObject(none);
  });

  test('has nothing to cancel without a row, and sees no contract after a deletion', async () => {
    const token = await link();
    planTable.rows.clear();
    expect(await end(token, 'show')).toMatchObject(none);
    expect(await end(token, 'cancel')).toMatchObject(refused(404, 'no-active-subscription'));
    expect(await end(token, 'withdraw')).toMatchObject(refused(409, 'withdrawal-over'));
    planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
    billing.subscribe('cus_ada');
    const decide = planTable.decide.bind(planTable);
    let decisions = 0;
    vi.spyOn(planTable, 'decide').mockImplementation(async (row, ...rest) => {
      decisions += 1;
      if (decisions === 1) return decide(row, ...rest);
      planTable.rows.clear();
      return undefined;
    });
    expect(await end(token, 'cancel')).toMatchObject(none);
    expect(mail.sent).toEqual([]);
  });
});
