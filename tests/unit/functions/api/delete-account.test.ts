import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteAccount } from '../../../../functions/api/delete-account.ts';
import { getPlan } from '../../../../functions/api/plan.ts';
import { closingUntil } from '../../../../functions/domain/closing.ts';
import { handleStripeEvent } from '../../../../functions/plans/handle-stripe-event.ts';
import { runBillingTasks } from '../../../../functions/schedules/billing-tasks.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import {
  adaAs,
  checkOutAda,
  type DeletionDependencies,
  type InitialState,
  initialStates,
} from '../../../fixtures/fakes/ada-as.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { NthCallHook } from '../../../fixtures/fakes/nth-call-hook.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
const aMinuteAgo = now.getTime() / 1000 - 60;
let dependencies: DeletionDependencies;

const setUp = async (initialState: InitialState) => (dependencies = await adaAs(initialState, now));

beforeEach(async () => {
  // A reconciliation that loses the write retries at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await setUp('a user on Plus');
});

const deleteAda = (parts = dependencies, authTime = aMinuteAgo) =>
  call(deleteAccount(parts), { user: 'ada', authTime, body: {} });
const readAdasPlan = (parts = dependencies) => call(getPlan(parts), { user: 'ada', authTime: aMinuteAgo });
const checkOut = (parts = dependencies) => checkOutAda(parts, now);
/** Pays every open checkout. */
const payOpenCheckouts = async () => {
  for (const id of dependencies.billing.checkouts.keys()) dependencies.billing.pay(id);
};
const activeSubscriptions = () =>
  [...dependencies.billing.subscriptions.values()].filter(({ status }) => status === 'active');

/** The dependencies of a request of which a hook counts the calls. */
const hooked = (hook: NthCallHook): DeletionDependencies => {
  const { plans, billing, sessionUser, pool, addressChanges, tasks, mail } = dependencies;
  return {
    ...dependencies,
    plans: hook.wrap(plans),
    billing: hook.wrap(billing),
    sessionUser: hook.wrap(sessionUser),
    pool: hook.wrap(pool),
    addressChanges: hook.wrap(addressChanges),
    tasks: hook.wrap(tasks),
    mail: hook.wrap(mail),
  };
};

/** The account can no longer be billed: no active subscription, no payable checkout, no customer. */
const expectNothingToBill = async (when = '') => {
  await payOpenCheckouts();
  expect(activeSubscriptions(), `a subscription runs ${when}`).toEqual([]);
  expect([...dependencies.billing.customers], `a customer is left ${when}`).toEqual([]);
};

const expectGone = async (when = '') => {
  await expectNothingToBill(when);
  expect([...dependencies.pool.accounts.keys()], `the user is left ${when}`).toEqual([]);
  expect([...dependencies.plans.rows.values()], `a row is left ${when}`).toEqual([]);
};

describe('deleting an account', () => {
  test('ends the subscription, removes customer, row and user, and confirms by mail', async () => {
    expect(await deleteAda()).toEqual({
      status: 200,
      body: { subscriptionEnded: true, mailSent: true, deletesAt: null },
    });
    await expectGone();
    expect(dependencies.mail.sent.map(({ to, email }) => [to, email.subject])).toEqual([
      ['ada@example.com', 'Your Selfsame account was deleted'],
    ]);
  });

  test('is confirmed by one mail, however often it is asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => deleteAda()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(dependencies.mail.sent).toHaveLength(1);
    await expectGone();
  });

  test('is confirmed by one mail if another request ends before this one closes the row', async () => {
    const another = new NthCallHook(1, () => deleteAda());
    await deleteAda({ ...dependencies, plans: another.wrap(dependencies.plans) });
    expect(another.hasRun).toBe(true);
    expect(dependencies.mail.sent).toHaveLength(1);
    await expectGone();
  });

  test('is confirmed by one mail if another request runs after this one has deleted the user', async () => {
    const { plans, addresses } = dependencies;
    const remove = vi.spyOn(plans, 'remove');
    remove.mockImplementationOnce(async (id) => {
      await deleteAda();
      // The owner has signed up again.
      await addresses.claim('ada@example.com', 'ada-again', 'ada');
      plans.rows.delete(id);
    });
    await deleteAda();
    expect(dependencies.mail.sent).toHaveLength(1);
    expect(await addresses.ownerOf('ada@example.com')).toBe('ada-again');
  });

  test('releases the address, and no address of another account', async () => {
    const { addresses } = dependencies;
    await addresses.claim('ada@example.com', 'ada');
    await addresses.claim('eve@example.com', 'eve');
    await deleteAda();
    expect([...addresses.owners]).toEqual([['eve@example.com', 'eve']]);
  });

  test('succeeds if the address cannot be released, which is logged without the address', async () => {
    vi.spyOn(dependencies.addresses, 'release').mockRejectedValueOnce(new Error('ada@example.com is stuck.'));
    expect((await deleteAda()).body).toMatchObject({ mailSent: true });
    expect(log.text()).toContain('address-not-released');
    expect(log.text()).not.toContain('ada@example.com');
  });

  test.each(['a user on Free', 'a user without a row'] as const)(
    'needs nothing from Stripe for %s',
    async (initialState) => {
      await setUp(initialState);
      dependencies.billing.down = true;
      expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: false, mailSent: true });
      await expectGone();
    },
  );

  test('finds a customer that the row knows only by stripe_customer_id', async () => {
    await setUp('a user without a row');
    dependencies.plans.put({ id: 'ada', plan: 'plus', stripe_customer_id: 'cus_imported' });
    dependencies.billing.customers.set('cus_imported', 'ada');
    dependencies.billing.subscribe('cus_imported');
    expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: true });
    await expectGone();
  });

  test.each(['past_due', 'unpaid', 'paused', 'incomplete', 'trialing'])(
    'ends a subscription that is %s, so that it cannot become active again',
    async (status) => {
      const [subscription] = dependencies.billing.subscriptions.values();
      dependencies.billing.change(String(subscription?.id), { status });
      const cancelNow = vi.spyOn(dependencies.billing, 'cancelNow');
      expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: true });
      expect(cancelNow).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: subscription?.id }));
    },
  );

  test('succeeds if the customer was deleted in Stripe', async () => {
    dependencies.billing.customers.clear();
    dependencies.billing.subscriptions.clear();
    expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: false });
    await expectGone();
  });

  test('is refused eleven minutes after the sign-in, and changes nothing', async () => {
    const before = structuredClone([...dependencies.plans.rows]);
    expect(await deleteAda(dependencies, now.getTime() / 1000 - 661)).toMatchObject(
      refused(403, 'sign-in-again'),
    );
    expect([...dependencies.plans.rows]).toEqual(before);
    expect(activeSubscriptions()).toHaveLength(1);
    expect((await deleteAda(dependencies, now.getTime() / 1000 - 600)).status).toBe(200);
  });

  test('is refused for a deleted user, and changes nothing', async () => {
    dependencies.pool.accounts.clear();
    expect((await deleteAda()).status).toBe(401);
    expect(activeSubscriptions()).toHaveLength(1);
  });

  test('succeeds if the mail cannot be sent, and the response says so', async () => {
    dependencies.mail.down = true;
    expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: true, mailSent: false });
    await expectGone();
  });

  test('sends no mail to an unverified address', async () => {
    await dependencies.pool.setAddressUnverified('ada');
    expect((await deleteAda()).body).toMatchObject({ mailSent: false });
    expect(dependencies.mail.sent).toEqual([]);
  });
});

describe('a deletion that fails halfway', () => {
  const steps = [
    ['sessionUser', 'profile'],
    ['plans', 'close'],
    ['plans', 'clear'],
    ['pool', 'remove'],
  ] as const;
  const stepsAtStripe = ['expireCheckout', 'subscriptionsOf', 'cancelNow', 'deleteCustomer'] as const;

  const breakAt = (
    part: (typeof steps)[number][0] | 'billing',
    step: string,
    effect: 'without effect' | 'with effect',
  ) => {
    const target = dependencies[part] as unknown as Record<
      string,
      (...parameters: unknown[]) => Promise<unknown>
    >;
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
    const left = [...dependencies.tasks.items.keys()].filter((key) => !key.startsWith('tell#'));
    expect(left).toEqual(['deletion#ada', expect.stringMatching(/^end#/)]);
    const [customer = ''] = dependencies.billing.customers.keys();
    dependencies.plans.put({ id: 'ada', billing_customer_id: customer, version: 9 });
    await runTasksAnHourLater();
    expect(activeSubscriptions()).toHaveLength(1);
    // The mail about her next subscription is to be sent.
    expect([...dependencies.tasks.items.keys()]).toEqual(['tell#ada']);
  });

  test('whose last response from Cognito is lost leaves a row with nothing but what has it removed in a year', async () => {
    breakAt('pool', 'remove', 'with effect');
    expect((await deleteAda()).status).toBe(500);
    expect((await deleteAda()).status).toBe(401);
    await expectNothingToBill();
    expect(Object.keys(dependencies.plans.rows.get('ada') ?? {}).toSorted()).toEqual([
      'closing_until',
      'id',
      'idle_due_at',
      'idle_shard',
      'plan',
      'version',
    ]);
  });

  test('removes the changes of the address and the list of apps, and succeeds if that fails', async () => {
    const change = { id: 'ada', version: 1, sent: [], earlier: [], expires_at: 0 };
    await dependencies.addressChanges.write(change);
    const at = now.toISOString();
    await dependencies.appSessions.add({
      user_id: 'ada',
      id: 'session',
      redirect_uri: 'https://app.example/done',
      created_at: at,
      used_at: at,
      refreshes: 0,
      expires_at: 0,
    });
    await deleteAda();
    expect(dependencies.addressChanges.items.size).toBe(0);
    expect(dependencies.appSessions.items.size).toBe(0);

    await setUp('a user on Free');
    vi.spyOn(dependencies.addressChanges, 'remove').mockRejectedValueOnce(new Error('No connection.'));
    vi.spyOn(dependencies.appSessions, 'removeAll').mockRejectedValueOnce(new Error('No connection.'));
    expect(await deleteAda()).toMatchObject({ status: 200 });
    expect(dependencies.plans.rows.size).toBe(0);
  });

  test('succeeds if only removing the cleared row fails', async () => {
    vi.spyOn(dependencies.plans, 'remove').mockRejectedValueOnce(new Error('The connection was lost.'));
    expect((await deleteAda()).body).toMatchObject({ subscriptionEnded: true, mailSent: true });
    expect(dependencies.pool.accounts.size).toBe(0);
    expect(log.errors).toMatchObject([{ event: 'row-not-removed', user: 'ada' }]);
    await expectNothingToBill();
  });

  test('bills nothing once Stripe is done, even without another try', async () => {
    breakAt('plans', 'clear', 'without effect');
    await deleteAda();
    await reconcile(dependencies, 'ada', now, { trigger: 'test' });
    await expectNothingToBill();
    expect(dependencies.plans.rows.get('ada')).toMatchObject({ plan: 'free' });
  });

  test('has expired the open checkout, and a new checkout is refused', async () => {
    await setUp('a user with an open checkout');
    breakAt('plans', 'clear', 'without effect');
    await deleteAda();
    expect(await checkOut()).toMatchObject(refused(409, 'account-closing'));
    await payOpenCheckouts();
    expect(activeSubscriptions()).toEqual([]);
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

describe('between any two calls of a deletion', () => {
  const interruptions = {
    'the payment of every open checkout': payOpenCheckouts,
    'the opening and payment of a checkout': async () => {
      await checkOut();
      await payOpenCheckouts();
    },
    'a GET /plan': () => readAdasPlan(),
    'an event from Stripe': async () => {
      const created = now.getTime() / 1000;
      await handleStripeEvent(
        { ...dependencies, userPool: { has: async () => true } },
        {
          type: 'customer.subscription.updated',
          customerId: 'cus_1',
          userId: 'ada',
          renewalUpcoming: false,
          refundFailed: false,
          created,
        },
        now,
      );
    },
    'a second deletion': () => deleteAda(),
  };

  describe.each(initialStates)('of %s', (initialState) => {
    test.each(Object.entries(interruptions))('%s leaves nothing', async (_, interrupt) => {
      for (let n = 1; ; n += 1) {
        await setUp(initialState);
        const hook = new NthCallHook(n, interrupt);
        const answer = await deleteAda(hooked(hook));
        // If the second deletion is faster, the first finds no account and answers 401.
        expect([200, 401]).toContain(answer.status);
        await interrupt();
        await expectGone(`with an interruption before call ${n}`);
        if (!hook.hasRun) return;
      }
    });
  });
});

describe('a deletion between any two calls', () => {
  const requests = {
    'of opening a checkout': checkOut,
    'of a GET /plan': readAdasPlan,
    'of a reconciliation': (parts: DeletionDependencies) => reconcile(parts, 'ada', now, { trigger: 'test' }),
    'of another deletion': deleteAda,
  };

  describe.each(Object.entries(requests))('%s', (_, request) => {
    test.each(initialStates)('by %s leaves nothing to bill and no Plus', async (initialState) => {
      for (let n = 1; ; n += 1) {
        await setUp(initialState);
        const hook = new NthCallHook(n, () => deleteAda());
        await request(hooked(hook));
        if (!hook.hasRun) return;
        await expectNothingToBill(`after a deletion before call ${n}`);
        const row = dependencies.plans.rows.get('ada');
        expect(row?.plan ?? 'free').toBe('free');
      }
    });
  });

  test.each(initialStates)(
    'a checkout by %s that pauses before any call and resumes during any call of the deletion sells nothing',
    async (initialState) => {
      for (let pause = 1; ; pause += 1) {
        let hasPaused = false;
        for (let resume = 1; ; resume += 1) {
          await setUp(initialState);
          let resumeCheckout = () => {};
          const resumed = new Promise<void>((resolve) => (resumeCheckout = resolve));
          const pausing = new NthCallHook(pause, () => resumed);
          const opening = checkOut(hooked(pausing));
          // All calls before the pause answer in the same turn of the event loop.
          await new Promise(setImmediate);
          hasPaused = pausing.hasRun;
          const deletion = new NthCallHook(resume, async () => {
            resumeCheckout();
            await opening;
            await payOpenCheckouts();
          });
          await deleteAda(hooked(deletion));
          resumeCheckout();
          // The checkout is opened before the deletion or refused. It is never an error.
          expect([200, 401, 409]).toContain((await opening).status);
          await expectNothingToBill(
            `after a checkout that paused at call ${pause} and resumed at call ${resume}`,
          );
          if (!hasPaused || !deletion.hasRun) break;
        }
        if (!hasPaused) return;
      }
    },
  );

  test('a checkout that Stripe opens while the deletion begins is expired and cannot be paid', async () => {
    const { billing, plans } = await setUp('a user with an open checkout');
    for (const id of billing.checkouts.keys()) await billing.expireCheckout(id);
    const open = billing.openCheckout.bind(billing);
    vi.spyOn(billing, 'openCheckout').mockImplementationOnce(async (order) => {
      const opened = await open(order);
      await plans.close('ada', closingUntil(now));
      return opened;
    });
    expect(await checkOut()).toMatchObject(refused(409, 'account-closing'));
    await payOpenCheckouts();
    expect(activeSubscriptions()).toEqual([]);
  });

  test('a row that GET /plan recreates after the deletion gets no customer', async () => {
    let n = 1;
    for (; ; n += 1) {
      await setUp('a user on Free');
      // During a checkout, the account is deleted and the row is recreated, as by a GET /plan that had
      // checked the account before.
      const hook = new NthCallHook(n, async () => {
        await deleteAda();
        await dependencies.plans.open('ada', now);
      });
      await checkOut(hooked(hook));
      if (!hook.hasRun) break;
      await expectNothingToBill(`before call ${n}`);
    }
    expect(n).toBeGreaterThan(1);
  });
});
