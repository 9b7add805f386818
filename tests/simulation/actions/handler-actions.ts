import type { HttpHandler } from '../../../functions/runtime/route.ts';
import { call, type Call } from '../../fixtures/fakes/http-event.ts';
import type { HandlerAction } from '../history/action.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { deliverEvent } from './webhooks.ts';

/** Runs a handler of the product. Resolves with the HTTP status where there is one. */
export async function runHandler(world: World, action: HandlerAction): Promise<number | undefined> {
  const { system, subscriber, counters, undelivered, events } = world;
  switch (action.type) {
    case 'read the plan':
      return (await request(system.plan, subscriber)).status;
    case 'open a checkout':
      return openCheckout(world);
    case 'return from checkout':
      return returnFromCheckout(world, action);
    case 'cancel':
      return cancel(world, action);
    case 'renew':
      return (await request(system.renew, subscriber, { body: {} })).status;
    case 'delete the account':
      return deleteAccount(world);
    case 'sign up':
      await signUp(world);
      return undefined;
    case 'run the expiry sweep':
      await system.sweep();
      return undefined;
    case 'run the event catch-up':
      await system.catchUp();
      world.schedules.lastCatchUp = world.now.getTime();
      return undefined;
    case 'run the billing tasks':
      await system.billingTasks();
      return undefined;
    case 'deliver an event': {
      const envelope = undelivered[action.event % undelivered.length];
      if (!envelope) return undefined;
      counters.count('Webhooks', action.keep ? 'delivered late, and once more' : 'delivered late');
      return deliverEvent(world, envelope, action.keep);
    }
    case 'replay an event': {
      const envelope = events[action.event % events.length];
      if (!envelope) return undefined;
      counters.count('Webhooks', 'replayed');
      return deliverEvent(world, envelope, true);
    }
    default:
      return action satisfies never;
  }
}

async function signUp(world: World): Promise<void> {
  const { subscriber, system } = world;
  if (world.exists(subscriber)) return;
  world.subscriber = world.addAccount(`ada-${world.accounts.length}`, subscriber.email);
  await system.signUp(world.subscriber.id, world.now);
}

async function openCheckout({ system, subscriber, checkoutSessions }: World): Promise<number | undefined> {
  const body = { planName: 'plus', userId: subscriber.id, userEmail: subscriber.email };
  const answer = await request(system.checkout, subscriber, { body });
  const secret = answer.body['clientSecret'];
  if (typeof secret === 'string' && !checkoutSessions.some((session) => session.secret === secret)) {
    checkoutSessions.unshift({ id: secret.split('_secret_')[0] ?? '', secret });
  }
  return answer.status;
}

async function returnFromCheckout(
  { system, subscriber, attacker, checkoutSessions, violations }: World,
  action: Extract<HandlerAction, { type: 'return from checkout' }>,
): Promise<number | undefined> {
  const session = checkoutSessions[action.session % checkoutSessions.length];
  if (!session) return undefined;
  const caller = action.user === 'eve' ? attacker : subscriber;
  const answer = await request(system.sessionStatus, caller, { query: { session_id: session.id } });
  if (action.user === 'eve' && answer.status === 200) violations.add("Eve was shown Ada's payment.");
  return answer.status;
}

async function cancel(
  world: World,
  action: Extract<HandlerAction, { type: 'cancel' }>,
): Promise<number | undefined> {
  const { system, subscriber, attacker, violations, stripe, met } = world;
  const row = world.rowOf(subscriber);
  const [old] = subscriber.model.subscriptions.keys();
  const shown = action.target === 'shown subscription' ? row?.stripe_subscription_id : undefined;
  const subscription = action.target === 'old subscription' ? old : shown;
  const caller = action.user === 'eve' ? attacker : subscriber;
  const toCollect = () =>
    stripe.ledger.invoices
      .list()
      .filter(
        ({ auto_advance, parent, status }) =>
          auto_advance &&
          (status === 'draft' || status === 'open') &&
          parent?.subscription_details?.subscription === subscription,
      );
  const collected = toCollect();
  const before = stripe.ledger.subscriptions.get(subscription ?? '');
  const answer = await request(system.cancel, caller, { body: { subscription_id: subscription ?? null } });
  if (answer.status === 200) {
    for (const { id, status } of collected) {
      if (status !== 'draft') continue;
      met.add('a cancellation while the renewal is a draft');
      world.declinedInvoices.add(id);
    }
    const runs = stripe.ledger.subscriptions.get(subscription ?? '')?.status !== 'canceled';
    if (runs && toCollect().length > 0) {
      violations.add(`A cancellation has left ${subscription} with an invoice that is collected.`);
    }
    // An invoice from before the pause is collected all the same, and a cancellation declines it.
    const isPaused = before?.status === 'active' && before.pause_collection && collected.length === 0;
    if (isPaused && answer.body['ended']) {
      violations.add(`A cancellation has ended ${subscription} at once, whose payments are paused.`);
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
