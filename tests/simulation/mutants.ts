import * as z from 'zod/mini';
import { api } from '../../schemas/api.ts';
import type { Subscription } from '../../functions/domain/subscription.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { ownerIn } from '../../functions/domain/mark.ts';
import { customerIdOf, type PlanFields } from '../../functions/domain/plan.ts';
import { settleSubscriptions } from '../../functions/plans/settle-subscriptions.ts';
import { reconcile } from '../../functions/plans/reconcile.ts';
import { route } from '../../functions/runtime/route.ts';
import { type Dependencies, deployedSystem, type SystemUnderTest } from './world/system-under-test.ts';

type Mutant = (dependencies: Dependencies) => SystemUnderTest;

/** The deployed handlers with defective dependencies. */
const withDependencies =
  (defect: (dependencies: Dependencies) => Partial<Dependencies>): Mutant =>
  (dependencies) =>
    deployedSystem({ ...dependencies, ...defect(dependencies) });

export const withMethods = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get: (object, name): unknown => (Reflect.get(methods, name) as unknown) ?? Reflect.get(object, name),
  });

const withoutDraft = (subscription: Subscription): Subscription => ({
  ...subscription,
  renewalPending: false,
});

const EventOfSubscription = z.object({
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.literal('subscription'),
      status: z.string(),
      customer: z.string(),
      metadata: z.record(z.string(), z.string()),
    }),
  }),
});

const withSubscriptions = (change: (subscription: Subscription) => Subscription): Mutant =>
  withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) =>
        (await billing.subscriptionsOf(customerId, row)).map(change),
    }),
  }));

/** The deployed handlers with one defect each, by the defect. The simulation has to detect every mutant. */
export const mutants: Record<string, Mutant> = {
  'overwrites a newer decision': withDependencies(({ plans }) => ({
    plans: withMethods(plans, {
      decide: async (row: UserPlan, decision: PlanFields, now: Date) => {
        const newest = await plans.read(row.id);
        return newest && plans.decide(newest, decision, now);
      },
    }),
  })),

  'trusts the content of an event': (dependencies) => ({
    ...deployedSystem(dependencies),
    webhook: route(api['stripe-webhook'], async (_, { rawBody, header, now }) => {
      const event = await dependencies.billing.verifyEvent(rawBody, header('stripe-signature') ?? '');
      const parsed = EventOfSubscription.safeParse(event);
      if (!parsed.success) return { received: true as const };
      const { id, status, customer, metadata } = parsed.data.data.object;
      const owner = ownerIn(metadata, dependencies.billing.stage);
      const named = owner.kind === 'foreign' ? undefined : owner.userId;
      const row = named === undefined ? undefined : await dependencies.plans.read(named);
      const decision: PlanFields =
        status === 'active' || status === 'past_due'
          ? { plan: 'plus', stripe_subscription_id: id, stripe_customer_id: customer }
          : { plan: 'free' };
      if (row) await dependencies.plans.decide(row, decision, now);
      return { received: true as const };
    }),
  }),

  'removes Plus when the first attempt of a renewal fails': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) =>
        (await billing.subscriptionsOf(customerId, row)).map((subscription) =>
          subscription.status === 'past_due' ? { ...subscription, status: 'unpaid' } : subscription,
        ),
    }),
  })),

  'ends an expired plan without asking Stripe': withDependencies(({ billing, plans }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) => {
        const all = await billing.subscriptionsOf(customerId, row);
        const rows = await Promise.all(
          all.flatMap(({ userId }) => (userId === undefined ? [] : [plans.read(userId)])),
        );
        const expired = rows.some(
          (named) => named?.plan_expires_at !== undefined && Date.parse(named.plan_expires_at) <= Date.now(),
        );
        return expired ? [] : all;
      },
    }),
  })),

  'moves its cursor past unprocessed events': (dependencies) => ({
    ...deployedSystem(dependencies),
    catchUp: async () => {
      await dependencies.cursor.move({ from: new Date() });
    },
  }),

  'shows a payment to any signed-in user': (dependencies) => ({
    ...deployedSystem(dependencies),
    sessionStatus: route(api['session-status'], async ({ session_id }, { user, now }) => {
      const checkout = await dependencies.billing.checkout(session_id, user.id);
      await reconcile(dependencies, user.id, now, { trigger: 'test' });
      return {
        status: checkout?.status ?? null,
        customer_email: null,
        subscription_id: null,
        customer_id: checkout?.customerId ?? null,
        subscription_status: null,
        subscription_current_period_end: null,
      };
    }),
  }),

  'keeps billing a deleted account': (dependencies) => ({
    ...deployedSystem(dependencies),
    deleteAccount: deployedSystem({
      ...dependencies,
      billing: withMethods(dependencies.billing, {
        cancelNow: async () => {},
        deleteCustomer: async () => true,
      }),
    }).deleteAccount,
  }),

  'leaves the checkout of a deleted account open': (dependencies) => ({
    ...deployedSystem(dependencies),
    deleteAccount: deployedSystem({
      ...dependencies,
      billing: withMethods(dependencies.billing, {
        expireCheckout: async () => {},
        expireCheckoutsOf: async () => {},
        deleteCustomer: async () => true,
      }),
    }).deleteAccount,
  }),

  'does not refund a second subscription': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      refundAndCancel: async (subscription) => {
        await billing.cancelNow(subscription);
        return { ...subscription, status: 'canceled' };
      },
    }),
  })),

  'does not end a second subscription': withDependencies(({ billing }) => ({
    billing: withMethods(billing, { refundAndCancel: async (subscription) => subscription }),
  })),

  'refunds a subscription when it is cancelled': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      cancelAtPeriodEnd: async (subscription) => {
        const cancelled = await billing.cancelAtPeriodEnd(subscription);
        await billing.refundAndCancel(cancelled, undefined);
        return cancelled;
      },
    }),
  })),

  'cancels at the end of the next period while the renewal is a draft': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) =>
        (await billing.subscriptionsOf(customerId, row)).map(withoutDraft),
      cancelAtPeriodEnd: async (subscription: Subscription) =>
        withoutDraft(await billing.cancelAtPeriodEnd(subscription)),
    }),
  })),

  'leaves the draft of a cancelled subscription to Stripe': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      voidInvoices: async (subscription) => ({ ...subscription, invoicesVoided: true }),
    }),
  })),

  'takes a renewal for paid once its invoice is open': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) => {
        const subscriptions = await billing.subscriptionsOf(customerId, row);
        const isOpen = (await billing.invoicesOf(customerId)).some(({ status }) => status === 'open');
        return isOpen ? subscriptions.map(withoutDraft) : subscriptions;
      },
      cancelAtPeriodEnd: async (subscription: Subscription) =>
        withoutDraft(await billing.cancelAtPeriodEnd(subscription)),
    }),
  })),

  'cannot cancel a subscription that support has changed': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      // Stripe's refusal for a subscription on a schedule.
      cancelAtPeriodEnd: () => Promise.reject(new Error('Please update the schedule instead.')),
    }),
  })),

  'removes Plus while the renewal is a draft': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) =>
        (await billing.subscriptionsOf(customerId, row)).map((subscription) =>
          subscription.renewalPending ? { ...subscription, status: 'unpaid' } : subscription,
        ),
    }),
  })),

  'gives Plus before a first payment has arrived': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) =>
        (await billing.subscriptionsOf(customerId, row)).map((subscription) => ({
          ...subscription,
          firstPayment: 'arrived' as const,
        })),
    }),
  })),

  'gives Plus for as long as a subscription is past due': withSubscriptions((subscription) => ({
    ...subscription,
    triesEndAt: undefined,
    stoppedTrying: false,
  })),

  'gives Plus for a second invoice although the first was not paid': withSubscriptions((subscription) =>
    subscription.renewalPending || subscription.status === 'past_due'
      ? { ...subscription, firstPayment: 'arrived' }
      : subscription,
  ),

  'refunds the last month of a duplicate only': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      refundAndCancel: async (subscription) => billing.refundAndCancel(subscription, undefined),
    }),
  })),

  'ends Plus at once while the payments are paused': withSubscriptions((subscription) =>
    subscription.collectionPaused ? { ...subscription, renewalPending: true } : subscription,
  ),

  'writes a plan only once everything is settled': withDependencies(({ plans, billing }) => ({
    plans: withMethods(plans, {
      decide: async (row: UserPlan, decision: PlanFields, now: Date) => {
        const subscriptions = await billing.subscriptionsOf(customerIdOf(row) ?? '', row);
        const { failures } = await settleSubscriptions(billing, subscriptions, row);
        if (failures[0]) throw failures[0].error;
        return plans.decide(row, decision, now);
      },
    }),
  })),

  'ignores a cancellation to a date': withDependencies(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string, row: UserPlan) =>
        (await billing.subscriptionsOf(customerId, row)).map((subscription) =>
          subscription.endsAt === subscription.currentPeriodEnd
            ? subscription
            : { ...subscription, endsAt: undefined },
        ),
    }),
  })),
};
