import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createCheckoutSession } from '../../../functions/api/create-checkout-session.ts';
import { deleteAccount } from '../../../functions/api/delete-account.ts';
import { readPlan } from '../../../functions/api/plan.ts';
import { closingUntil } from '../../../functions/domain/closing.ts';
import { handleStripeEvent } from '../../../functions/plans/handle-stripe-event.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { call } from '../../fixtures/http-event.ts';
import { Interruption } from '../../fixtures/interruption.ts';
import { MemorySessionUser } from '../../fixtures/memory-session-user.ts';
import { MemoryBilling } from '../../fixtures/memory-billing.ts';
import { MemoryMail } from '../../fixtures/memory-mail.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';

const now = new Date('2026-01-20T12:00:00Z');
const aMinuteAgo = now.getTime() / 1000 - 60;
const siteUrl = 'https://selfsame.example';

/** Everything a request meets. */
interface Scene {
  plans: MemoryPlans;
  billing: MemoryBilling;
  sessionUser: MemorySessionUser;
  mail: MemoryMail;
}
let scene: Scene;

type Beginning = 'a payer' | 'a buyer with a checkout open' | 'somebody on Free' | 'somebody without a row';
const beginnings: Beginning[] = [
  'a payer',
  'a buyer with a checkout open',
  'somebody on Free',
  'somebody without a row',
];

const begin = async (beginning: Beginning): Promise<Scene> => {
  scene = {
    plans: new MemoryPlans(),
    billing: new MemoryBilling(),
    sessionUser: new MemorySessionUser(),
    mail: new MemoryMail(),
  };
  const { plans, billing } = scene;
  if (beginning === 'somebody without a row') return scene;
  await plans.open('ada', now);
  if (beginning === 'somebody on Free') return scene;
  await checkOut(scene);
  if (beginning === 'a payer') {
    for (const id of billing.checkouts.keys()) billing.pay(id);
    await reconcile(scene, 'ada', now, { trigger: 'test' });
  }
  return scene;
};

beforeEach(async () => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  // Whoever loses a round of reconciliation goes on at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await begin('a payer');
});

const remove = (parts: Scene = scene, authTime = aMinuteAgo) =>
  call(deleteAccount(parts), { user: 'ada', authTime, body: {} });
const look = (parts: Scene = scene) => call(readPlan(parts), { user: 'ada', authTime: aMinuteAgo });
const checkOut = (parts: Scene = scene) =>
  call(createCheckoutSession({ ...parts, siteUrl }), {
    user: 'ada',
    authTime: aMinuteAgo,
    body: { planName: 'plus', userId: 'ada', userEmail: 'ada@example.com' },
  });
/** Somebody presses "pay" in every tab that is open. */
const payEverywhere = async () => {
  for (const id of scene.billing.checkouts.keys()) scene.billing.pay(id);
};
const running = () => [...scene.billing.subscriptions.values()].filter(({ status }) => status === 'active');

/** Nobody can be billed for this account any more, whatever is pressed or delivered. */
const expectNothingToBill = async (when = '') => {
  await payEverywhere();
  expect(running(), `a subscription runs ${when}`).toEqual([]);
  expect([...scene.billing.customers], `a customer is left ${when}`).toEqual([]);
};

const expectGone = async (when = '') => {
  await expectNothingToBill(when);
  expect(scene.sessionUser.current, `the user is left ${when}`).toBeUndefined();
  expect([...scene.plans.rows.values()], `a row is left ${when}`).toEqual([]);
};

describe('deleting an account', () => {
  test('ends what is paid for, removes the customer, the row and the user, and says so by mail', async () => {
    expect(await remove()).toEqual({ status: 200, body: { subscriptionEnded: true, mailSent: true } });
    await expectGone();
    expect(scene.mail.sent.map(({ to, email }) => [to, email.subject])).toEqual([
      ['ada@example.com', 'Your Selfsame account was deleted'],
    ]);
  });

  test.each(['somebody on Free', 'somebody without a row'] as const)(
    'needs nothing from Stripe for %s',
    async (beginning) => {
      await begin(beginning);
      scene.billing.down = true;
      expect((await remove()).body).toEqual({ subscriptionEnded: false, mailSent: true });
      await expectGone();
    },
  );

  test('finds a customer that the row knows only by stripe_customer_id', async () => {
    await begin('somebody without a row');
    scene.plans.put({ id: 'ada', plan: 'plus', stripe_customer_id: 'cus_imported' });
    scene.billing.customers.set('cus_imported', 'ada');
    scene.billing.subscribe('cus_imported');
    expect((await remove()).body).toMatchObject({ subscriptionEnded: true });
    await expectGone();
  });

  test.each(['past_due', 'unpaid', 'paused', 'incomplete', 'trialing'])(
    'ends a subscription that is %s, so that it cannot come back to life',
    async (status) => {
      const [subscription] = scene.billing.subscriptions.values();
      scene.billing.change(String(subscription?.id), { status });
      const end = vi.spyOn(scene.billing, 'cancelNow');
      expect((await remove()).body).toMatchObject({ subscriptionEnded: true });
      expect(end).toHaveBeenCalledExactlyOnceWith(subscription?.id);
    },
  );

  test('a customer that somebody deleted in Stripe is no hindrance', async () => {
    scene.billing.customers.clear();
    scene.billing.subscriptions.clear();
    expect((await remove()).body).toMatchObject({ subscriptionEnded: false });
    await expectGone();
  });

  test('a sign-in of eleven minutes ago is not enough, and nothing is touched', async () => {
    const before = structuredClone([...scene.plans.rows]);
    expect(await remove(scene, now.getTime() / 1000 - 661)).toMatchObject({
      status: 403,
      body: { code: 'sign-in-again' },
    });
    expect([...scene.plans.rows]).toEqual(before);
    expect(running()).toHaveLength(1);
    expect((await remove(scene, now.getTime() / 1000 - 600)).status).toBe(200);
  });

  test('a token whose user is gone deletes nothing', async () => {
    scene.sessionUser.current = undefined;
    expect((await remove()).status).toBe(401);
    expect(running()).toHaveLength(1);
  });

  test('an account is gone also where the mail could not be sent, and the answer says which', async () => {
    scene.mail.down = true;
    expect((await remove()).body).toEqual({ subscriptionEnded: true, mailSent: false });
    await expectGone();
  });

  test('an address that was never verified gets no mail', async () => {
    scene.sessionUser.current = { ...(await scene.sessionUser.profile()), emailVerified: false };
    expect((await remove()).body).toMatchObject({ mailSent: false });
    expect(scene.mail.sent).toEqual([]);
  });
});

describe('a deletion that fails half-way', () => {
  const steps = [
    ['sessionUser', 'verifiedEmail'],
    ['plans', 'close'],
    ['billing', 'expireCheckout'],
    ['billing', 'subscriptionsOf'],
    ['billing', 'cancelNow'],
    ['billing', 'deleteCustomer'],
    ['plans', 'clear'],
    ['sessionUser', 'delete'],
  ] as const;

  const breakAt = (
    part: (typeof steps)[number][0],
    step: string,
    effect: 'without effect' | 'with effect',
  ) => {
    const target = scene[part] as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
    const work = target[step]?.bind(target);
    vi.spyOn(target, step).mockImplementationOnce(async (...parameters) => {
      if (effect === 'with effect') await work?.(...parameters);
      throw new Error('The connection was lost.');
    });
  };

  test.each(steps)('at %s.%s is finished by pressing again', async (part, step) => {
    breakAt(part, step, 'without effect');
    expect((await remove()).status).toBe(500);
    expect(scene.sessionUser.current).toBeDefined();
    expect((await remove()).body).toMatchObject({ mailSent: true });
    await expectGone();
    expect(scene.mail.sent).toHaveLength(1);
  });

  test.each(steps.slice(0, -1))(
    'at %s.%s, after it took effect, is finished by pressing again',
    async (part, step) => {
      breakAt(part, step, 'with effect');
      expect((await remove()).status).toBe(500);
      expect((await remove()).body).toMatchObject({ mailSent: true });
      await expectGone();
    },
  );

  test('whose last answer from the pool is lost leaves an id that leads to nobody', async () => {
    breakAt('sessionUser', 'delete', 'with effect');
    expect((await remove()).status).toBe(500);
    expect((await remove()).status).toBe(401);
    await expectNothingToBill();
    expect(Object.keys(scene.plans.rows.get('ada') ?? {}).toSorted()).toEqual([
      'closing_until',
      'id',
      'plan',
      'version',
    ]);
  });

  test('and cannot remove the emptied row is a deletion all the same', async () => {
    vi.spyOn(scene.plans, 'remove').mockRejectedValueOnce(new Error('The connection was lost.'));
    expect((await remove()).body).toEqual({ subscriptionEnded: true, mailSent: true });
    expect(scene.sessionUser.current).toBeUndefined();
    await expectNothingToBill();
  });

  test('from Stripe on bills nothing, even where nobody presses again', async () => {
    breakAt('plans', 'clear', 'without effect');
    await remove();
    await reconcile(scene, 'ada', now, { trigger: 'test' });
    await expectNothingToBill();
    expect(scene.plans.rows.get('ada')).toMatchObject({ plan: 'free' });
  });

  test('has withdrawn the checkout of another tab, and lets no new one be opened', async () => {
    await begin('a buyer with a checkout open');
    breakAt('billing', 'deleteCustomer', 'without effect');
    await remove();
    expect(await checkOut()).toMatchObject({ status: 409, body: { code: 'account-closing' } });
    await payEverywhere();
    expect(running()).toEqual([]);
  });

  test('leaves an account that can buy again, once the deletion has lapsed', async () => {
    breakAt('sessionUser', 'delete', 'without effect');
    await remove();
    expect(await checkOut()).toMatchObject({ status: 409, body: { code: 'account-closing' } });
    vi.setSystemTime(now.getTime() + 2 * 60_000);
    expect((await checkOut()).status).toBe(200);
    expect((await look()).body).toMatchObject({ plan: 'free' });
  });
});

describe('at every moment of a deletion', () => {
  const rivals = {
    'every open checkout being paid': payEverywhere,
    'a checkout being opened and paid': async () => {
      await checkOut();
      await payEverywhere();
    },
    'a look at the plan': () => look(),
    'an event from Stripe': async () => {
      const created = now.getTime() / 1000;
      await handleStripeEvent(
        { ...scene, userPool: { has: async () => true } },
        {
          type: 'customer.subscription.updated',
          customerId: 'cus_1',
          userId: 'ada',
          renewalUpcoming: false,
          created,
        },
        now,
      );
    },
    'a second deletion': () => remove(),
  };

  describe.each(beginnings)('of %s', (beginning) => {
    test.each(Object.entries(rivals))('%s leaves nothing', async (_, rival) => {
      for (let at = 1; ; at += 1) {
        const { plans, billing, sessionUser, mail } = await begin(beginning);
        const moment = new Interruption(at, rival);
        const answer = await remove({
          plans: moment.wrap(plans),
          billing: moment.wrap(billing),
          sessionUser: moment.wrap(sessionUser),
          mail: moment.wrap(mail),
        });
        // A second deletion that was faster leaves the first without an account to speak for.
        expect([200, 401]).toContain(answer.status);
        await rival();
        await expectGone(`with a rival before call ${at}`);
        if (!moment.happened) return;
      }
    });
  });
});

describe('a deletion at every moment', () => {
  const requests = {
    'of a checkout being opened': checkOut,
    'of a look at the plan': look,
    'of a reconciliation': (parts: Scene) => reconcile(parts, 'ada', now, { trigger: 'test' }),
    'of another deletion': remove,
  };

  describe.each(Object.entries(requests))('%s', (_, request) => {
    test.each(beginnings)('by %s leaves nothing to bill and nothing of the person', async (beginning) => {
      for (let at = 1; ; at += 1) {
        const { plans, billing, sessionUser, mail } = await begin(beginning);
        const moment = new Interruption(at, () => remove());
        await request({
          plans: moment.wrap(plans),
          billing: moment.wrap(billing),
          sessionUser: moment.wrap(sessionUser),
          mail: moment.wrap(mail),
        });
        if (!moment.happened) return;
        await expectNothingToBill(`after a deletion before call ${at}`);
        const row = plans.rows.get('ada');
        expect(row?.plan ?? 'free').toBe('free');
      }
    });
  });

  test.each(beginnings)(
    'a checkout of %s that stops at any moment, and goes on at any moment of the deletion, sells nothing',
    async (beginning) => {
      for (let stop = 1; ; stop += 1) {
        let stopped = false;
        for (let resume = 1; ; resume += 1) {
          const { plans, billing, sessionUser, mail } = await begin(beginning);
          let goOn = () => {};
          const going = new Promise<void>((resolve) => (goOn = resolve));
          const order = new Interruption(stop, () => going);
          const ordering = checkOut({
            plans: order.wrap(plans),
            billing: order.wrap(billing),
            sessionUser: order.wrap(sessionUser),
            mail,
          });
          // Long enough for every call before the stop: they all answer in the same turn.
          await new Promise(setImmediate);
          stopped = order.happened;
          const deletion = new Interruption(resume, async () => {
            goOn();
            await ordering;
            await payEverywhere();
          });
          await remove({
            plans: deletion.wrap(plans),
            billing: deletion.wrap(billing),
            sessionUser: deletion.wrap(sessionUser),
            mail: deletion.wrap(mail),
          });
          goOn();
          // Sold before the deletion, or refused with a word: never an error.
          expect([200, 401, 409]).toContain((await ordering).status);
          await expectNothingToBill(`of an order that stopped at ${stop} and went on at ${resume}`);
          if (!stopped || !deletion.happened) break;
        }
        if (!stopped) return;
      }
    },
  );

  test('a checkout that Stripe opened while the deletion began is withdrawn, and nobody is charged for nothing', async () => {
    const { billing, plans } = await begin('a buyer with a checkout open');
    for (const id of billing.checkouts.keys()) await billing.expireCheckout(id);
    const open = billing.openCheckout.bind(billing);
    vi.spyOn(billing, 'openCheckout').mockImplementationOnce(async (order) => {
      const opened = await open(order);
      await plans.close('ada', closingUntil(now));
      return opened;
    });
    expect(await checkOut()).toMatchObject({ status: 409, body: { code: 'account-closing' } });
    await payEverywhere();
    expect(running()).toEqual([]);
  });

  test('a row that a look opened too late gives nobody a customer', async () => {
    await begin('somebody on Free');
    // The look has asked whether the account is there, the account goes, and the row is opened once more; all
    // that while somebody orders.
    const moment = new Interruption(5, async () => {
      await remove();
      await scene.plans.open('ada', now);
    });
    const { plans, billing, sessionUser, mail } = scene;
    const answer = await checkOut({
      plans: moment.wrap(plans),
      billing: moment.wrap(billing),
      sessionUser: moment.wrap(sessionUser),
      mail,
    });
    expect(moment.happened).toBe(true);
    expect(answer.status).toBe(401);
    await expectNothingToBill();
  });
});
