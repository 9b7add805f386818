import type { Stripe } from 'stripe';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { billingStateFields } from '../../../functions/domain/billing-state.ts';
import type { PlanFields } from '../../../functions/domain/plan.ts';
import { enqueueMails } from '../../../functions/plans/enqueue-mails.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { cards, type ExternalAction } from '../history/action.ts';
import { runningSubscriptions } from '../model/subscriber.ts';
import type { World } from '../world/world.ts';

/** Does what happens outside the product, at one moment and without faults. */
export function actOutside(world: World, action: ExternalAction): void {
  const { stripe, checkoutSessions, undelivered, counters } = world;
  switch (action.type) {
    case 'pay': {
      const session = checkoutSessions[action.session % checkoutSessions.length];
      if (!session) return;
      const accepted = stripe.enterCard(`/embedded/${session.secret}/pay`, cards[action.card]);
      counters.count('Answers', accepted ? 'pay: accepted' : 'pay: refused');
      return;
    }
    case 'enter a new card': {
      const customer = world.customerId;
      if (customer === undefined) return;
      const portal = stripe.request('POST', '/v1/billing_portal/sessions', { customer });
      const url = (portal as Stripe.BillingPortal.Session | undefined)?.url;
      if (url) stripe.enterCard(`${new URL(url).pathname}/card`, cards[action.card]);
      return;
    }
    case 'pay the open invoice': {
      const customer = world.customerId;
      // Stripe's page takes the money even if the invoice's subscription has ended.
      const open = stripe.ledger.invoices
        .list()
        .find((invoice) => invoice.customer === customer && invoice.status === 'open');
      if (open) stripe.request('POST', `/v1/invoices/${open.id}/pay`, { off_session: 'false' });
      return;
    }
    case 'cancel in the portal':
      cancelInPortal(world, action.hours);
      return;
    case 'renew in the portal':
      renewInPortal(world);
      return;
    case 'support pauses the payments':
    case 'support resumes the payments':
      pausePayments(world, action.type === 'support pauses the payments');
      return;
    case 'support finalizes a renewal':
      finalizeRenewal(world);
      return;
    case 'support schedules the subscription':
      schedule(world);
      return;
    case 'Stripe stops trying':
      stopTrying(world);
      return;
    case 'support ends the subscription':
    case 'support refunds a payment':
      world.supportIsActing = true;
      if (action.type === 'support ends the subscription') cancelNow(world);
      else refundPayment(world);
      world.supportIsActing = false;
      return;
    case 'the bank opens a dispute':
      openDispute(world);
      return;
    case 'support grants a complimentary plan':
      grantComplimentary(world, action.hours);
      return;
    case 'support opens a second checkout':
      openSecondCheckout(world);
      return;
    case 'Stripe begins to refuse':
      world.refuse(action.call, action.fault, action.hours);
      return;
    case 'drop an event':
      if (undelivered.length > 0) {
        counters.count('Webhooks', 'dropped');
        undelivered.splice(action.event % undelivered.length, 1);
      }
      return;
  }
}

const runningSubscription = ({ subscriber, seconds }: World) =>
  runningSubscriptions(subscriber.model, seconds)[0];

const newestKeptPayment = ({ subscriber }: World) =>
  subscriber.model.payments.findLast(({ refunded }) => !refunded);

function cancelInPortal(world: World, hours: number | undefined): void {
  const [subscription] = runningSubscription(world) ?? [];
  const cancelAt = hours === undefined ? 'min_period_end' : String(world.seconds + hours * 3600);
  if (subscription !== undefined) {
    world.stripe.request('POST', `/v1/subscriptions/${subscription}`, { cancel_at: cancelAt });
  }
}

function renewInPortal(world: World): void {
  const { stripe } = world;
  const [subscription, state] = runningSubscription(world) ?? [];
  if (subscription === undefined || state?.endsAt === undefined) return;
  // Stripe wants the flag cleared where the flag is set, and the date otherwise.
  const hasFlag = stripe.ledger.subscriptions.get(subscription)?.cancel_at_period_end;
  const path = `/v1/subscriptions/${subscription}`;
  stripe.request('POST', path, hasFlag ? { cancel_at_period_end: 'false' } : { cancel_at: '' });
}

function pausePayments(world: World, pauses: boolean): void {
  const [subscription] = runningSubscription(world) ?? [];
  if (subscription === undefined) return;
  world.met.add(pauses ? 'paused payments' : 'resumed payments');
  const change: Record<string, string> = pauses
    ? { 'pause_collection[behavior]': 'keep_as_draft' }
    : { pause_collection: '' };
  world.stripe.request('POST', `/v1/subscriptions/${subscription}`, change);
}

function finalizeRenewal({ stripe, met, customerId }: World): void {
  const draft = stripe.ledger.invoices
    .list()
    .find(
      ({ customer, status, auto_advance }) => customer === customerId && status === 'draft' && auto_advance,
    );
  if (!draft) return;
  met.add('a renewal that support has finalized');
  stripe.request('POST', `/v1/invoices/${draft.id}/finalize`);
}

function schedule(world: World): void {
  const [subscription] = runningSubscription(world) ?? [];
  if (subscription === undefined) return;
  world.met.add('a subscription on a schedule');
  world.stripe.request('POST', '/v1/subscription_schedules', { from_subscription: subscription });
}

function stopTrying(world: World): void {
  const { ledger } = world.stripe;
  const [id] = runningSubscription(world) ?? [];
  const subscription = id === undefined ? undefined : ledger.subscriptions.get(id);
  const latest = subscription?.latest_invoice;
  const invoice = typeof latest === 'string' ? latest : '';
  if (subscription?.status !== 'past_due' || ledger.invoices.get(invoice)?.status !== 'open') return;
  world.met.add('a subscription that Stripe leaves past due');
  world.stripe.request('POST', `/v1/invoices/${invoice}`, { auto_advance: 'false' });
}

function cancelNow(world: World): void {
  const [subscription] = runningSubscription(world) ?? [];
  if (subscription !== undefined) world.stripe.request('DELETE', `/v1/subscriptions/${subscription}`);
}

function refundPayment(world: World): void {
  const payment = newestKeptPayment(world);
  if (payment) world.stripe.request('POST', '/v1/refunds', { charge: payment.charge });
}

function openDispute(world: World): void {
  const payment = newestKeptPayment(world);
  if (!payment) return;
  world.stripe.emit('charge.dispute.created', {
    id: 'dp_1',
    object: 'dispute',
    charge: payment.charge,
    amount: 500,
    currency: 'usd',
    status: 'needs_response',
  });
}

/** Writes Plus into the row, as the command of support does. Both stores write at once. */
function grantComplimentary(world: World, hours: number | undefined): void {
  const { subscriber } = world;
  const row = world.rowOf(subscriber);
  const isGrantable = row?.plan === 'free' && !row.closing_until;
  if (!isGrantable || world.customerId !== undefined || subscriber.deletionRequested) return;
  const until = hours === undefined ? undefined : world.seconds + hours * 3600;
  const fields: PlanFields = {
    plan: 'plus',
    ...(until !== undefined && { plan_expires_at: new Date(until * 1000).toISOString() }),
  };
  const state = billingStateFields(row, { fields, subscription: undefined }, []);
  void enqueueMails(world, row, state, world.now);
  void world.plans.decide(row, { ...fields, ...state }, world.now);
  subscriber.model = { ...subscriber.model, complimentary: { until } };
  subscriber.wasEntitled = true;
}

function openSecondCheckout(world: World): void {
  const { stripe, subscriber, checkoutSessions } = world;
  const customer = world.rowOf(subscriber)?.billing_customer_id;
  const price = stripe.ledger.prices.list()[0]?.id;
  if (customer === undefined || price === undefined) return;
  const opened = stripe.request('POST', '/v1/checkout/sessions', {
    mode: 'subscription',
    ui_mode: 'embedded_page',
    customer,
    'line_items[0][price]': price,
    'line_items[0][quantity]': '1',
    return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    ...Object.fromEntries(
      Object.entries(markOf(STAGE, subscriber.id)).flatMap(([key, value]) => [
        [`metadata[${key}]`, value],
        [`subscription_data[metadata][${key}]`, value],
      ]),
    ),
  }) as Stripe.Checkout.Session | undefined;
  if (opened?.client_secret) checkoutSessions.unshift({ id: opened.id, secret: opened.client_secret });
}
