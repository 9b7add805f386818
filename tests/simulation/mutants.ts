import type * as fc from 'fast-check';
import { api } from '../../schemas/api.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Billing } from '../../functions/adapters/stripe/stripe-billing.ts';
import type { PlanFields } from '../../functions/domain/plan.ts';
import type { Subscription } from '../../functions/domain/subscription.ts';
import { reconcile } from '../../functions/plans/reconcile.ts';
import { route } from '../../functions/runtime/route.ts';
import { withMethods } from './faults/with-faults.ts';
import type { Action } from './history/action.ts';
import type { History } from './history/history.ts';
import { concurrentCancellation, withoutWebhooks } from './history/history-arbitrary.ts';
import { client } from './world/stripe-in-process.ts';
import { type Dependencies, deployedSystem, type SystemUnderTest } from './world/system-under-test.ts';
import { CANCELED } from '../fixtures/fakes/memory-billing.ts';

type Build = (dependencies: Dependencies) => SystemUnderTest;

/** The deployed handlers with a defect. `histories`: where random histories rarely detect it. */
export interface Mutant {
  build: Build;
  histories?: fc.Arbitrary<History>;
}

const mutant = (build: Build, histories?: fc.Arbitrary<History>): Mutant => ({
  build,
  ...(histories && { histories }),
});

const sessionOf = ({ planTable, sessionUser }: Dependencies) => ({
  planTable: () => planTable,
  sessionUser: () => sessionUser,
});

/** The deployed handlers with defective dependencies. */
const withDependencies =
  (defect: (dependencies: Dependencies) => Partial<Dependencies>): Build =>
  (dependencies) =>
    deployedSystem({ ...dependencies, ...defect(dependencies) });

const withBilling = (defect: (billing: Billing) => Partial<Billing>): Build =>
  withDependencies(({ billing }) => ({ billing: withMethods(billing, defect(billing)) }));

const withSubscriptions = (
  change: (subscription: Subscription) => Subscription,
  more: (billing: Billing) => Partial<Billing> = () => ({}),
): Build =>
  withBilling((billing) => ({
    subscriptionsOf: async (customerId, row) => (await billing.subscriptionsOf(customerId, row)).map(change),
    ...more(billing),
  }));

/** Only the deletion of an account has this billing. */
const deletingWith =
  (methods: Partial<Billing>): Build =>
  (dependencies) => {
    const billing = withMethods(dependencies.billing, { ...methods, deleteCustomer: async () => true });
    const { deleteAccount } = deployedSystem({ ...dependencies, billing });
    return { ...deployedSystem(dependencies), deleteAccount };
  };

const inState = (subscription: Subscription, kind: 'active' | 'renewing'): Subscription => ({
  ...subscription,
  state: { kind },
});
const withoutDraft = (subscription: Subscription): Subscription =>
  subscription.state.kind === 'renewing' ? inState(subscription, 'active') : subscription;
const isPastDue = ({ state }: Subscription): boolean =>
  state.kind === 'past-due' || state.kind === 'given-up';
const cancelsWithoutDraft = (billing: Billing): Partial<Billing> => ({
  cancelAtPeriodEnd: async (subscription) => withoutDraft(await billing.cancelAtPeriodEnd(subscription)),
});

const opens: Action = { type: 'open a checkout' };
const opensAnother: Action = { type: 'support opens a second checkout' };
const catchesUp: Action = { type: 'run the event catch-up' };
const cancels: Action = { type: 'cancel', target: 'shown subscription', user: 'ada' };
const pays = (session: number, card: Extract<Action, { type: 'pay' }>['card'] = 'pays'): Action => ({
  type: 'pay',
  session,
  card,
});
const days = (count: number): Action => ({ type: 'time passes', hours: count * 24 });
const reads: Action = { type: 'read the plan' };
const saysYes: Action = { type: 'answer the bank', question: 0, answer: 'accepted' };
const discount = (percent: number): Action => ({
  type: 'support gives a discount',
  percent,
  duration: 'forever',
  to: 'subscription',
});
const [halfPrice, freeOfCharge] = [discount(50), discount(100)];
const toTheRenewal: Action = { type: 'time passes to the renewal', minutes: 30 };
const inTheRenewalHour = withoutWebhooks(opens, pays(0), catchesUp, toTheRenewal, cancels, {
  type: 'time passes',
  hours: 2,
});

/** By the defect, one or two for each invariant. The simulation has to detect every mutant. */
export const mutants: Record<string, Mutant> = {
  'overwrites a newer decision': mutant(
    withDependencies(({ planTable }) => ({
      planTable: withMethods(planTable, {
        decide: async (row: UserPlan, decision: PlanFields, now: Date) => {
          const newest = await planTable.read(row.id);
          return newest && planTable.decide(newest, decision, now);
        },
      }),
    })),
    concurrentCancellation,
  ),

  'removes Plus when the first attempt of a renewal fails': mutant(
    withSubscriptions((subscription) =>
      subscription.state.kind === 'past-due' ? { ...subscription, state: { kind: 'unpaid' } } : subscription,
    ),
    withoutWebhooks(opens, pays(0, 'fails at renewals'), days(32)),
  ),

  'moves its cursor past unprocessed events': mutant((dependencies) => ({
    ...deployedSystem(dependencies),
    catchUp: async () => {
      await dependencies.cursor.move(new Date());
    },
  })),

  'never compares plans with subscriptions': mutant(
    (dependencies) => ({ ...deployedSystem(dependencies), planAgreement: async () => {} }),
    withoutWebhooks(
      opens,
      pays(0, 'fails at renewals'),
      catchesUp,
      days(1),
      { type: 'run the billing tasks' },
      { type: 'time passes in silence', days: 80 },
    ),
  ),

  'shows a payment to any signed-in user': mutant((dependencies) => ({
    ...deployedSystem(dependencies),
    sessionStatus: route(api['session-status'], sessionOf(dependencies), async (asked, { user, now }) => {
      const checkout = await dependencies.billing.checkout(asked.session_id);
      await reconcile(dependencies, user.id, now, { trigger: 'test' });
      return {
        status: checkout?.status ?? null,
        customer_email: null,
        subscription_id: null,
        customer_id: checkout?.customerId ?? null,
        subscription_status: null,
        subscription_current_period_end: null,
      };
    }).with(dependencies),
  })),

  'keeps billing a deleted account': mutant(deletingWith({ cancelNow: async () => {} })),

  'leaves the checkout of a deleted account open': mutant(
    deletingWith({ expireCheckout: async () => {}, expireCheckoutsOf: async () => {} }),
  ),

  'does not refund a second subscription': mutant(
    withBilling((billing) => ({
      refundAndCancel: async (subscription) => {
        await billing.cancelNow(subscription);
        return { ...subscription, status: 'canceled' };
      },
    })),
    withoutWebhooks(opens, opensAnother, pays(0), pays(1)),
  ),

  'refunds a subscription when it is cancelled': mutant(
    withBilling((billing) => ({
      cancelAtPeriodEnd: async (subscription) => {
        const cancelled = await billing.cancelAtPeriodEnd(subscription);
        await billing.refundAndCancel(cancelled, undefined);
        return cancelled;
      },
    })),
  ),

  'cancels at the end of the next period while the renewal is a draft': mutant(
    withSubscriptions(withoutDraft, cancelsWithoutDraft),
    inTheRenewalHour,
  ),

  'leaves the draft of a cancelled subscription to Stripe': mutant(
    withBilling(() => ({
      voidInvoices: async (subscription) => ({ ...subscription, invoicesVoided: true }),
    })),
    inTheRenewalHour,
  ),

  'cannot cancel a subscription that support has changed': mutant(
    // Stripe's refusal for a subscription on a schedule.
    withBilling(() => ({
      cancelAtPeriodEnd: () => Promise.reject(new Error('Please update the schedule instead.')),
    })),
    withoutWebhooks(opens, pays(0), catchesUp, { type: 'support schedules the subscription' }, cancels),
  ),

  'gives Plus before a first payment has arrived': mutant(
    withSubscriptions((subscription) =>
      subscription.state.kind === 'processing' ? inState(subscription, 'active') : subscription,
    ),
    withoutWebhooks(opens, pays(0, 'settles later'), catchesUp),
  ),

  'gives Plus for as long as a subscription is past due': mutant(
    withSubscriptions((subscription) =>
      isPastDue(subscription) ? { ...subscription, state: { kind: 'past-due' } } : subscription,
    ),
    withoutWebhooks(opens, pays(0, 'fails at renewals'), days(32), { type: 'Stripe stops trying' }, days(20)),
  ),

  'multiplies price and quantity instead of asking for the next charge': mutant(
    withBilling(() => ({
      nextChargeOf: async ({ amount = 0, currency, currentPeriodEnd: at }) => ({ at, amount, currency }),
    })),
    withoutWebhooks(opens, pays(0), catchesUp, halfPrice, reads),
  ),

  'takes a subscription that support has paused for ended': mutant(
    withSubscriptions((subscription) =>
      subscription.state.kind === 'paused' ? { ...subscription, state: CANCELED } : subscription,
    ),
    withoutWebhooks(
      opens,
      pays(0),
      catchesUp,
      { type: 'support pauses the subscription', credits: true },
      catchesUp,
      reads,
    ),
  ),

  'ends a subscription whose invoices support sends by mail': mutant(
    withSubscriptions((subscription) =>
      isPastDue(subscription) || subscription.state.kind === 'invoiced'
        ? { ...subscription, state: { kind: 'given-up', triesEndAt: 0 } }
        : subscription,
    ),
    withoutWebhooks(
      opens,
      pays(0),
      catchesUp,
      { type: 'support sends the invoices by mail', byMail: true },
      days(70),
      catchesUp,
    ),
  ),

  'ends Plus at once in the hour of a renewal that costs nothing': mutant(
    withSubscriptions((subscription) =>
      subscription.latestInvoice?.amount === 0 ? inState(subscription, 'renewing') : subscription,
    ),
    withoutWebhooks(opens, pays(0), catchesUp, freeOfCharge, toTheRenewal, cancels),
  ),

  'leaves an uncollectible invoice of an ended subscription to be paid': mutant(
    withBilling((billing) => ({
      voidInvoices: async (subscription) => {
        const { data } = await client.invoices.list({ subscription: subscription.id });
        return data.some(({ status }) => status === 'uncollectible')
          ? { ...subscription, invoicesVoided: true }
          : billing.voidInvoices(subscription);
      },
    })),
    withoutWebhooks(
      opens,
      pays(0, 'fails at renewals'),
      days(32),
      { type: 'support forgives the open invoice', by: 'mark_uncollectible' },
      { type: 'support ends the subscription' },
      catchesUp,
    ),
  ),

  'says that a payment has arrived which the bank asked about, and decides no plan': mutant(
    (dependencies) => ({
      ...deployedSystem(dependencies),
      sessionStatus: route(api['session-status'], sessionOf(dependencies), async () => ({
        status: 'complete',
        customer_email: null,
        subscription_id: null,
        customer_id: null,
        subscription_status: 'active',
        subscription_current_period_end: null,
        payment: 'paid' as const,
      })).with(dependencies),
    }),
    withoutWebhooks(opens, pays(0, 'asks the bank'), saysYes, {
      type: 'return from checkout',
      session: 0,
      user: 'ada',
    }),
  ),

  'takes a payment that the bank asked about at a press': mutant(
    (dependencies) => {
      const { plan, ...system } = deployedSystem(dependencies);
      const payAll = async (): Promise<void> => {
        const { data } = await client.invoices.list({ status: 'open' });
        for (const { id } of data) await client.invoices.pay(id, { off_session: false });
      };
      return { ...system, plan: async (...request) => payAll().then(() => plan(...request)) };
    },
    withoutWebhooks(opens, pays(0, 'asks the bank each time'), saysYes, days(32), reads),
  ),
};
