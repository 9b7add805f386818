import * as z from 'zod/mini';
import { api } from '../../schemas/api.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import type { PlanFields } from '../../functions/domain/plan.ts';
import { reconcile } from '../../functions/plans/reconcile.ts';
import { route } from '../../functions/runtime/route.ts';
import { type Neighbours, type Product, realProduct } from './product.ts';

type WrongProduct = (neighbours: Neighbours) => Product;

/** The right product among other neighbours. */
const among =
  (change: (neighbours: Neighbours) => Partial<Neighbours>): WrongProduct =>
  (neighbours) =>
    realProduct({ ...neighbours, ...change(neighbours) });

const withMethods = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get: (object, name): unknown => (Reflect.get(methods, name) as unknown) ?? Reflect.get(object, name),
  });

const EventOfSubscription = z.object({
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.literal('subscription'),
      status: z.string(),
      customer: z.string(),
      metadata: z.object({ user_id: z.string() }),
    }),
  }),
});

/** Each is ours but for one defect, and each defect has been somebody's. */
export const wrongProducts: Record<string, WrongProduct> = {
  'writes a decision over a younger one': among(({ plans }) => ({
    plans: withMethods(plans, {
      decide: async (row: UserPlan, decision: PlanFields, now: Date) => {
        const standing = await plans.read(row.id);
        return standing && plans.decide(standing, decision, now);
      },
    }),
  })),

  'believes the event it is sent': (neighbours) => ({
    ...realProduct(neighbours),
    webhook: route(api['stripe-webhook'], async (_, { rawBody, header, now }) => {
      const event = await neighbours.billing.signedEvent(rawBody, header('stripe-signature') ?? '');
      const parsed = EventOfSubscription.safeParse(event);
      if (!parsed.success) return { received: true as const };
      const { id, status, customer, metadata } = parsed.data.data.object;
      const row = await neighbours.plans.read(metadata.user_id);
      const decision: PlanFields =
        status === 'active' || status === 'past_due'
          ? { plan: 'plus', stripe_subscription_id: id, stripe_customer_id: customer }
          : { plan: 'free' };
      if (row) await neighbours.plans.decide(row, decision, now);
      return { received: true as const };
    }),
  }),

  'takes Plus away when the first try of a renewal fails': among(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string) =>
        (await billing.subscriptionsOf(customerId)).map((one) =>
          one.status === 'past_due' ? { ...one, status: 'unpaid' } : one,
        ),
    }),
  })),

  'ends an expired plan without asking Stripe': among(({ billing, plans }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string) => {
        const all = await billing.subscriptionsOf(customerId);
        const rows = await Promise.all(
          all.flatMap(({ userId }) => (userId === undefined ? [] : [plans.read(userId)])),
        );
        const expired = rows.some(
          (row) => row?.plan_expires_at !== undefined && Date.parse(row.plan_expires_at) <= Date.now(),
        );
        return expired ? [] : all;
      },
    }),
  })),

  "moves its cursor past events it hasn't followed": (neighbours) => ({
    ...realProduct(neighbours),
    catchUp: async () => {
      await neighbours.cursor.move(new Date());
    },
  }),

  'shows a payment to whoever has its address': (neighbours) => ({
    ...realProduct(neighbours),
    status: route(api['session-status'], async ({ session_id }, { user, now }) => {
      const checkout = await neighbours.billing.checkout(session_id);
      await reconcile(neighbours, user.id, now);
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

  'deletes the account and bills on': (neighbours) => ({
    ...realProduct(neighbours),
    deletion: realProduct({
      ...neighbours,
      billing: withMethods(neighbours.billing, {
        endSubscription: async () => {},
        deleteCustomer: async () => {},
      }),
    }).deletion,
  }),

  'leaves a checkout open that it deletes the account of': (neighbours) => ({
    ...realProduct(neighbours),
    deletion: realProduct({
      ...neighbours,
      billing: withMethods(neighbours.billing, {
        expireCheckout: async () => {},
        deleteCustomer: async () => {},
      }),
    }).deletion,
  }),

  'keeps the money of a second subscription': among(({ billing }) => ({
    billing: withMethods(billing, {
      refundAndEnd: async (subscription) => {
        await billing.endSubscription(subscription.id);
        return { ...subscription, status: 'canceled' };
      },
    }),
  })),

  'lets a second subscription run': among(({ billing }) => ({
    billing: withMethods(billing, { refundAndEnd: async (subscription) => subscription }),
  })),

  'gives back the money of the one it keeps, too': among(({ billing }) => ({
    billing: withMethods(billing, {
      cancelAtPeriodEnd: async (id) => {
        const subscription = await billing.cancelAtPeriodEnd(id);
        await billing.refundAndEnd(subscription);
        return subscription;
      },
    }),
  })),

  'reads only the flag of a cancellation, not its date': among(({ billing }) => ({
    billing: withMethods(billing, {
      subscriptionsOf: async (customerId: string) =>
        (await billing.subscriptionsOf(customerId)).map((one) =>
          one.endsAt === one.currentPeriodEnd ? one : { ...one, endsAt: undefined },
        ),
    }),
  })),
};
