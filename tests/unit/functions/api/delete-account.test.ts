import { describe, expect, test, vi } from 'vitest';
import { runBillingTasks } from '../../../../functions/schedules/billing-tasks.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import {
  activeSubscriptions,
  beginOnPlus,
  checkOut,
  deleteAda,
  dependencies,
  expectGone,
  expectNothingToBill,
  now,
  readAdasPlan,
  setUp,
} from './deletion-acts.ts';

const log = beginOnPlus();

describe('deleting an account', () => {
  test('ends the subscription, removes customer, row and user, and confirms by mail', async () => {
    const body = { subscriptionEnded: true, mailSent: true };
    expect(await deleteAda()).toEqual({ status: 200, body });
    await expectGone();
    const text: unknown = expect.stringContaining("If you didn't ask for this");
    expect(dependencies.mail.sent).toMatchObject([
      { to: 'ada@example.com', email: { name: 'account-deleted', text } },
    ]);
  });

  test('is confirmed by one mail if another request runs after this one has deleted the user', async () => {
    const { planTable, addresses } = dependencies;
    const remove = vi.spyOn(planTable, 'remove');
    remove.mockImplementationOnce(async (id) => {
      await deleteAda();
      // The owner has signed up again.
      await addresses.claim('ada@example.com', 'ada-again', 'ada');
      planTable.rows.delete(id);
    });
    await deleteAda();
    expect(dependencies.mail.sent).toHaveLength(1);
    expect(await addresses.ownerOf('ada@example.com')).toBe('ada-again');
  });

  test('succeeds if the address cannot be released, which is logged without the address', async () => {
    vi.spyOn(dependencies.addresses, 'release').mockRejectedValueOnce(new Error('ada@example.com is stuck.'));
    expect((await deleteAda()).body).toMatchObject({ mailSent: true });
    expect(log.text()).toContain('address-not-released');
    expect(log.text()).not.toContain('ada@example.com');
  });

  test('is refused eleven minutes after the sign-in, and changes nothing', async () => {
    const before = structuredClone([...dependencies.planTable.rows]);
    const late = await deleteAda(dependencies, now.getTime() / 1000 - 661);
    expect(late).toMatchObject(refused(403, 'sign-in-again'));
    expect([...dependencies.planTable.rows]).toEqual(before);
    expect(activeSubscriptions()).toHaveLength(1);
    expect((await deleteAda(dependencies, now.getTime() / 1000 - 600)).status).toBe(200);
  });

  test('leaves the account that the user has under another name by then', async () => {
    const { pool } = dependencies;
    const account = pool.of('ada');
    vi.spyOn(pool, 'findBySub').mockResolvedValueOnce({ ...account, username: 'google_1' });
    const remove = vi.spyOn(pool, 'remove');
    expect((await deleteAda()).body).toMatchObject({ mailSent: true });
    expect(remove).not.toHaveBeenCalled();
    expect(dependencies.mail.sent).toEqual([]);
  });

  test('sends no mail to an unverified address', async () => {
    dependencies.pool.of('ada').emailVerified = false;
    expect((await deleteAda()).body).toMatchObject({ mailSent: false });
    expect(dependencies.mail.sent).toEqual([]);
  });
});

describe('a deletion that fails halfway', () => {
  const steps = [
    ['pool', 'findBySub'],
    ['planTable', 'close'],
    ['planTable', 'clear'],
    ['pool', 'remove'],
  ] as const;
  const stepsAtStripe = ['expireCheckout', 'subscriptionsOf', 'cancelNow', 'deleteCustomer'] as const;

  const breakAt = (
    part: (typeof steps)[number][0] | 'billing',
    step: string,
    effect: 'without effect' | 'with effect',
  ) => {
    type Methods = Record<string, (...parameters: unknown[]) => Promise<unknown>>;
    const target = dependencies[part] as unknown as Methods;
    const original = target[step]?.bind(target);
    vi.spyOn(target, step).mockImplementationOnce(async (...parameters) => {
      if (effect === 'with effect') await original?.(...parameters);
      throw new Error('The connection was lost.');
    });
  };

  test.each([
    ...steps.map((step) => [...step, 'without effect'] as const),
    // After a deletion of the user with a lost answer, the next try finds no user: below.
    ...steps.slice(0, -1).map((step) => [...step, 'with effect'] as const),
  ])('at %s.%s, %s, is finished by the next try', async (part, step, effect) => {
    breakAt(part, step, effect);
    expect((await deleteAda()).status).toBe(500);
    expect(dependencies.pool.accounts.size).toBe(1);
    expect((await deleteAda()).body).toMatchObject({ mailSent: true });
    await expectGone();
    expect(dependencies.mail.sent).toHaveLength(1);
  });

  const runTasksAnHourLater = async () => {
    const later = new Date(now.getTime() + 3_600_000);
    await runBillingTasks({ ...dependencies, userPool: dependencies.pool }, () => later)();
  };

  describe.each(['without effect', 'with effect'] as const)('at Stripe, %s', (effect) => {
    test.each(stepsAtStripe)(
      'at %s deletes the account, and the rest is done an hour later',
      async (step) => {
        breakAt('billing', step, effect);
        expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: true, mailSent: true });
        expect(dependencies.pool.accounts.size).toBe(0);
        await runTasksAnHourLater();
        await expectGone();
        expect(dependencies.tasks.items.size).toBe(0);
      },
    );
  });

  test('while Stripe is out of reach changes nothing if a checkout could still be paid', async () => {
    await setUp('a user with an open checkout');
    dependencies.billing.down = true;
    expect((await deleteAda()).status).toBe(500);
    expect(dependencies.pool.accounts.size).toBe(1);
    dependencies.billing.down = false;
    await deleteAda();
    await expectGone();
  });

  test('after something was left leaves the next subscription of the account alone', async () => {
    breakAt('billing', 'cancelNow', 'without effect');
    vi.spyOn(dependencies.billing, 'deleteCustomer').mockRejectedValueOnce(new Error('Refused.'));
    breakAt('pool', 'remove', 'without effect');
    expect((await deleteAda()).status).toBe(500);
    const left = [...dependencies.tasks.items.keys()].filter((key) => !key.startsWith('notify#'));
    expect(left).toEqual([expect.stringMatching(/^end#/)]);
    const [customer = ''] = dependencies.billing.customers.keys();
    dependencies.planTable.put({ id: 'ada', billing_customer_id: customer, version: 9 });
    await runTasksAnHourLater();
    expect(activeSubscriptions()).toHaveLength(1);
    // The mail about her next subscription is sent.
    expect([...dependencies.tasks.items.keys()]).toEqual([]);
  });

  test('whose last response from Cognito is lost leaves a row with nothing but what has it removed in a year', async () => {
    breakAt('pool', 'remove', 'with effect');
    expect((await deleteAda()).status).toBe(500);
    expect((await deleteAda()).status).toBe(401);
    await expectNothingToBill();
    const left = Object.keys(dependencies.planTable.rows.get('ada') ?? {}).toSorted();
    expect(left).toEqual(['closing_until', 'id', 'idle_due_at', 'idle_shard', 'plan', 'version']);
  });

  test('removes the changes of the address and the list of apps, and succeeds if that fails', async () => {
    await dependencies.addressChanges.write({ id: 'ada', version: 1, expires_at: 0 });
    const used = { created_at: now.toISOString(), used_at: now.toISOString(), refreshes: 0, expires_at: 0 };
    const app = { id: 'session', redirect_uri: 'https://app.example/done' };
    await dependencies.appSessions.add({ user_id: 'ada', ...app, ...used });
    await deleteAda();
    expect(dependencies.addressChanges.items.size).toBe(0);
    expect(dependencies.appSessions.items.size).toBe(0);

    await setUp('a user on Free');
    vi.spyOn(dependencies.addressChanges, 'remove').mockRejectedValueOnce(new Error('No connection.'));
    vi.spyOn(dependencies.appSessions, 'removeAll').mockRejectedValueOnce(new Error('No connection.'));
    expect(await deleteAda()).toMatchObject({ status: 200 });
    expect(dependencies.planTable.rows.size).toBe(0);
  });

  test('succeeds if only removing the cleared row fails', async () => {
    vi.spyOn(dependencies.planTable, 'remove').mockRejectedValueOnce(new Error('The connection was lost.'));
    expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: true, mailSent: true });
    expect(dependencies.pool.accounts.size).toBe(0);
    expect(log.errors).toMatchObject([{ event: 'row-not-removed', user: 'ada' }]);
    await expectNothingToBill();
  });

  test('bills nothing once Stripe is done, even without another try', async () => {
    breakAt('planTable', 'clear', 'without effect');
    await deleteAda();
    await reconcile(dependencies, 'ada', now, { trigger: 'test' });
    await expectNothingToBill();
    expect(dependencies.planTable.rows.get('ada')).toMatchObject({ plan: 'free' });
  });

  test('leaves an account that can buy again once it is no longer closing', async () => {
    breakAt('pool', 'remove', 'without effect');
    await deleteAda();
    expect(await checkOut()).toMatchObject(refused(409, 'account-closing'));
    vi.setSystemTime(now.getTime() + 2 * 60_000);
    expect((await checkOut()).status).toBe(200);
    expect((await readAdasPlan()).body).toMatchObject({ plan: 'free' });
  });
});
