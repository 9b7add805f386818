import type { HttpHandler } from '../../../functions/runtime/route.ts';
import { call, type Call } from '../../fixtures/fakes/http-event.ts';
import type { HandlerAction, InstantAction } from '../history/action.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { currentActor } from '../faults/actor.ts';
import { checkShownStanding } from '../model/shown-standing.ts';
import { deliverEvent } from './webhooks.ts';

/** The handlers of the product. Each resolves with the HTTP status where there is one. */
const handlers: {
  [T in HandlerAction['type']]: (
    world: World,
    action: Extract<HandlerAction, { type: T }>,
  ) => Promise<number | undefined>;
} = {
  'read the plan': readPlan,
  'open a checkout': openCheckout,
  'return from checkout': returnFromCheckout,
  cancel,
  renew: async ({ system, subscriber }) => (await request(system.renew, subscriber, { body: {} })).status,
  'delete the account': deleteAccount,
  'sign up': signUp,
  'deliver an event': async (world, { event, keep }) => {
    const envelope = world.undelivered[event % world.undelivered.length];
    return envelope && deliverEvent(world, envelope, keep);
  },
  'replay an event': async (world, { event }) => {
    const envelope = world.events[event % world.events.length];
    return envelope && deliverEvent(world, envelope, true);
  },
  'run the expiry sweep': async ({ system }) => void (await system.sweep()),
  'run the event catch-up': async ({ system, schedules, clock }) => {
    await system.catchUp();
    schedules.lastCatchUp = clock.now().getTime();
    return undefined;
  },
  'run the billing tasks': async ({ system }) => void (await system.billingTasks()),
  'run the plan agreement': async ({ system }) => void (await system.planAgreement()),
};

export const isHandlerAction = (action: InstantAction): action is HandlerAction =>
  Object.hasOwn(handlers, action.type);

export const runHandler = (world: World, action: HandlerAction): Promise<number | undefined> =>
  (handlers[action.type] as (world: World, action: HandlerAction) => Promise<number | undefined>)(
    world,
    action,
  );

/** Reads what the page of the plan shows. */
async function readPlan(world: World): Promise<number | undefined> {
  const { system, subscriber } = world;
  const { status } = await request(system.plan, subscriber);
  const { status: billingStatus, body } = await request(system.billing, subscriber);
  if (billingStatus === 200 && !isDisturbed()) checkShownStanding(world, subscriber, body['standing']);
  return Math.max(status ?? 0, billingStatus ?? 0);
}

/** Whether another action runs meanwhile, or a call of this one has failed. */
function isDisturbed(): boolean {
  const actor = currentActor();
  return actor === undefined || actor.metFault || actor.isInterleaved;
}

async function signUp(world: World): Promise<undefined> {
  const { subscriber, system } = world;
  if (world.exists(subscriber)) return undefined;
  world.subscriber = world.addAccount(`ada-${world.accounts.length}`, subscriber.email);
  await system.signUp(world.subscriber.id, subscriber.email, world.now);
  return undefined;
}

async function openCheckout({
  system,
  subscriber,
  checkoutSessions,
  offer,
}: World): Promise<number | undefined> {
  const { plan: planName, interval } = offer;
  const body = { planName, interval, userId: subscriber.id, userEmail: subscriber.email };
  const answer = await request(system.checkout, subscriber, { body });
  const secret = answer.body['clientSecret'];
  if (typeof secret === 'string' && !checkoutSessions.some((session) => session.secret === secret)) {
    checkoutSessions.unshift({ id: secret.split('_secret_')[0] ?? '', secret });
  }
  return answer.status;
}

async function returnFromCheckout(
  world: World,
  action: Extract<HandlerAction, { type: 'return from checkout' }>,
): Promise<number | undefined> {
  const { system, subscriber, attacker, checkoutSessions, violations } = world;
  const session = checkoutSessions[action.session % checkoutSessions.length];
  if (!session) return undefined;
  const caller = action.user === 'eve' ? attacker : subscriber;
  const answer = await request(system.sessionStatus, caller, { query: { session_id: session.id } });
  if (action.user === 'eve' && answer.status === 200) violations.add("Eve was shown Ada's payment.");
  // The page that says so must not be followed by one that asks to buy.
  const { payment, refunded, subscription_status: status } = answer.body;
  const isPaidFor = payment === 'paid' && !refunded && status === 'active' && !subscriber.deletionRequested;
  if (isPaidFor && !isDisturbed() && world.rowOf(subscriber)?.plan === 'free') {
    violations.add(`${subscriber.id} has returned from a payment and is on Free.`);
  }
  return answer.status;
}

async function cancel(
  world: World,
  action: Extract<HandlerAction, { type: 'cancel' }>,
): Promise<number | undefined> {
  const { system, subscriber, attacker, violations, stripe } = world;
  const row = world.rowOf(subscriber);
  const [old] = subscriber.model.subscriptions.keys();
  const shown = action.target === 'shown subscription' ? row?.stripe_subscription_id : undefined;
  const subscription = action.target === 'old subscription' ? old : shown;
  const caller = action.user === 'eve' ? attacker : subscriber;
  const due = () =>
    stripe.ledger.invoices
      .list()
      .filter(
        ({ amount_due, auto_advance, parent, status }) =>
          auto_advance &&
          amount_due > 0 &&
          (status === 'draft' || status === 'open') &&
          parent?.subscription_details?.subscription === subscription,
      );
  const before = stripe.ledger.subscriptions.get(subscription ?? '');
  // An invoice by mail, or that Stripe couldn't finalize, is support's to collect.
  const toCollect = () => due().filter(({ next_payment_attempt: next }) => next !== null);
  const nothingIsDue = due().length === 0;
  const collected = toCollect();
  const actor = currentActor();
  if (actor) actor.cancels = action.user === 'ada';
  const answer = await request(system.cancel, caller, { body: { subscription_id: subscription ?? null } });
  const isDeclined = subscriber.model.subscriptions.get(subscription ?? '')?.endedAt !== undefined;
  if (answer.status === 200 || isDeclined) {
    for (const { id, status } of collected) {
      if (status === 'draft') world.declinedInvoices.add(id);
    }
  }
  if (answer.status === 200) {
    const runs = stripe.ledger.subscriptions.get(subscription ?? '')?.status !== 'canceled';
    // Stripe may refuse the end of a cancellation that is recorded. A task repeats it, and refunds.
    if (runs && toCollect().length > 0 && !world.isDeferred(subscriber)) {
      violations.add(`A cancellation has left ${subscription} with an invoice that is collected.`);
    }
    // An invoice from before a pause is collected all the same, and a cancellation declines it.
    const isAlone = actor?.isInterleaved === false;
    if (isAlone && before?.status === 'active' && nothingIsDue && answer.body['ended']) {
      violations.add(`A cancellation has ended ${subscription} at once, for which nothing was due.`);
    }
  }
  if (action.user === 'eve' && answer.status === 200) violations.add("Eve cancelled Ada's subscription.");
  return answer.status;
}

/**
 * A cancelled complimentary plan ends with the month. Only the row says whether the cancellation took effect,
 * since a crash can follow it.
 */
export function endComplimentary(world: World, account: Account, at: Date): void {
  const { complimentary } = account.model;
  if (!complimentary || complimentary.until !== undefined) return;
  const monthEnd = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) - 1;
  if (world.rowOf(account)?.plan_expires_at === new Date(monthEnd).toISOString()) {
    account.model = { ...account.model, complimentary: { ...complimentary, until: monthEnd / 1000 } };
  }
}

async function deleteAccount(world: World): Promise<number | undefined> {
  const { system, subscriber, violations } = world;
  // The handler requires a recent sign-in.
  subscriber.signedInAt = world.seconds;
  subscriber.deletionRequested = true;
  const { complimentary } = subscriber.model;
  if (complimentary) {
    subscriber.model = {
      ...subscriber.model,
      complimentary: { ...complimentary, deletionStarted: true },
    };
  }
  const answer = await request(system.deleteAccount, subscriber, { body: {} });
  if (answer.status === 200 && world.exists(subscriber)) violations.add('A deleted account still exists.');
  return answer.status;
}

async function request(handler: HttpHandler, account: Account, details: Call = {}): ReturnType<typeof call> {
  return call(handler, {
    user: account.id,
    authTime: account.signedInAt,
    headers: { authorization: `Bearer ${account.id}` },
    ...details,
  });
}
