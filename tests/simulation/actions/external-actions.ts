import { lowestPaidPlan } from '../../../schemas/product/offers.ts';
import { lookupKeyOf } from '../../../schemas/product/stripe-prices.ts';
import type { Stripe } from 'stripe';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import type { PlanFields } from '../../../functions/domain/plan.ts';
import { enqueuePlanNotices } from '../../../functions/notices/enqueue-plan-notices.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { cards, type ExternalAction } from '../history/action.ts';
import { runningSubscriptions } from '../model/subscriber.ts';
import type { World } from '../world/world.ts';

/** The events outside the product, each at one moment and without faults. */
const effects: {
  [T in ExternalAction['type']]: (world: World, action: Extract<ExternalAction, { type: T }>) => unknown;
} = {
  pay(world, { session, card }) {
    const { checkoutSessions } = world;
    const paid = checkoutSessions[session % checkoutSessions.length];
    if (paid) enterCard(world, `/embedded/${paid.secret}/pay`, cards[card]);
  },
  'answer the bank'({ stripe, questions }, { question, answer }) {
    const asked = questions[question % questions.length];
    if (asked) stripe.enterCard(asked.path, asked.card, answer);
  },
  'enter a new card'(world, { card }) {
    const { stripe, customerId: customer } = world;
    if (customer === undefined) return;
    const portal = stripe.request('POST', '/v1/billing_portal/sessions', { customer });
    const url = (portal as Stripe.BillingPortal.Session | undefined)?.url;
    if (url) enterCard(world, `${new URL(url).pathname}/card`, cards[card]);
  },
  'pay the open invoice'(world) {
    // Stripe's page takes the money even if the invoice's subscription has ended.
    const open = firstInvoice(world, 'open', 'uncollectible');
    if (open) world.stripe.request('POST', `/v1/invoices/${open.id}/pay`, { off_session: 'false' });
  },
  'cancel in the portal': (world, { hours }) =>
    change(world, {
      cancel_at: hours === undefined ? 'min_period_end' : String(world.seconds + hours * 3600),
    }),
  'renew in the portal'(world) {
    const [id = '', state] = runningSubscription(world) ?? [];
    if (state?.endsAt === undefined) return;
    // Stripe wants the flag cleared where the flag is set, and the date otherwise.
    const hasFlag = world.stripe.ledger.subscriptions.get(id)?.cancel_at_period_end;
    change(world, hasFlag ? { cancel_at_period_end: 'false' } : { cancel_at: '' });
  },
  'support pauses the payments': (world, { behavior }) =>
    change(world, { 'pause_collection[behavior]': behavior }),
  'support resumes the payments': (world) => change(world, { pause_collection: '' }),
  'support pauses the subscription'(world, { credits }) {
    const [id] = runningSubscription(world) ?? [];
    if (id === undefined) return;
    const [item] = world.stripe.ledger.subscriptions.get(id)?.items.data ?? [];
    // In its first second, a period would end before it begins, and the one before would be the last.
    if (item?.current_period_start === world.seconds && item.created !== world.seconds) return;
    const form = { 'bill_for[unused_time_from][type]': credits ? 'now' : 'none' };
    world.stripe.request('POST', `/v1/subscriptions/${id}/pause`, form);
  },
  'support resumes the subscription'({ stripe, customerId: customer = '' }) {
    const paused = stripe.ledger.subscriptions.list({ customer }).find(({ status }) => status === 'paused');
    const form = { payment_behavior: 'resume_on_payment_success' };
    // Each resumption has an invoice of its own, and the first may be processing.
    const isResuming = stripe.ledger.invoices
      .list({ customer })
      .some(({ billing_reason: reason, status }) => status === 'open' && reason === 'subscription_update');
    if (paused && !isResuming) stripe.request('POST', `/v1/subscriptions/${paused.id}/resume`, form);
  },
  'support sends the invoices by mail': (world, { byMail }) =>
    change(
      world,
      byMail
        ? { collection_method: 'send_invoice', days_until_due: '30' }
        : { collection_method: 'charge_automatically' },
    ),
  'support forgives the open invoice'(world, { by }) {
    const open = firstInvoice(world, 'open');
    if (open) world.stripe.request('POST', `/v1/invoices/${open.id}/${by}`);
  },
  'support gives a discount'(world, { percent, duration, to }) {
    const { stripe, customerId } = world;
    const coupon = stripe.request('POST', '/v1/coupons', {
      percent_off: String(percent),
      duration,
      ...(duration === 'repeating' && { duration_in_months: '2' }),
    }) as Stripe.Coupon;
    const [id = ''] = runningSubscription(world) ?? [];
    const item = stripe.ledger.subscriptions.get(id)?.items.data[0]?.id;
    if (to === 'subscription') change(world, { 'discounts[0][coupon]': coupon.id });
    else if (to === 'customer' && customerId !== undefined) stripe.changeCustomer(customerId, coupon.id);
    else if (item !== undefined) {
      change(world, { 'items[0][id]': item, 'items[0][discounts][0][coupon]': coupon.id });
    }
  },
  'support sets the balance'({ stripe, customerId }, { cents }) {
    if (customerId === undefined) return;
    stripe.request('POST', `/v1/customers/${customerId}`, { balance: String(cents) });
  },
  'support adds an item'({ stripe, customerId: customer }, { cents }) {
    if (customer === undefined) return;
    stripe.request('POST', '/v1/invoiceitems', { customer, currency: 'usd', amount: String(cents) });
  },
  'Stripe finalizes no invoice'({ stripe, customerId }, { ends }) {
    if (customerId !== undefined) stripe.setFinalizing(customerId, ends);
  },
  'support finalizes a renewal'({ stripe, customerId }) {
    const draft = stripe.ledger.invoices
      .list()
      .find(
        ({ customer, status, auto_advance }) => customer === customerId && status === 'draft' && auto_advance,
      );
    if (draft) stripe.request('POST', `/v1/invoices/${draft.id}/finalize`);
  },
  'support schedules the subscription'(world) {
    const [id] = runningSubscription(world) ?? [];
    if (id) world.stripe.request('POST', '/v1/subscription_schedules', { from_subscription: id });
  },
  'Stripe stops trying'(world) {
    const { ledger } = world.stripe;
    const [id] = runningSubscription(world) ?? [];
    const subscription = id === undefined ? undefined : ledger.subscriptions.get(id);
    const latest = subscription?.latest_invoice;
    const invoice = typeof latest === 'string' ? latest : '';
    if (subscription?.status !== 'past_due' || ledger.invoices.get(invoice)?.status !== 'open') return;
    world.stripe.request('POST', `/v1/invoices/${invoice}`, { auto_advance: 'false' });
  },
  'support ends the subscription': (world) =>
    asSupport(world, () => {
      const [id] = runningSubscription(world) ?? [];
      if (id !== undefined) world.stripe.request('DELETE', `/v1/subscriptions/${id}`);
    }),
  'support refunds a payment': (world) =>
    asSupport(world, () => {
      const payment = newestKeptPayment(world);
      if (payment) world.stripe.request('POST', '/v1/refunds', { charge: payment.charge });
    }),
  'the bank opens a dispute'(world) {
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
  },
  'support grants a complimentary plan': (world, { hours }) => grantComplimentary(world, hours),
  'support opens a second checkout': openSecondCheckout,
  'Stripe begins to refuse': (world, { call, fault, hours }) => world.refuse(call, fault, hours),
  'drop an event'({ undelivered }, { event }) {
    if (undelivered.length > 0) undelivered.splice(event % undelivered.length, 1);
  },
};

export function actOutside(world: World, action: ExternalAction): void {
  const effect = effects[action.type] as (world: World, action: ExternalAction) => unknown;
  effect(world, action);
}

/** Enters a card on a page of Stripe, where the bank may ask the cardholder. */
function enterCard({ stripe, questions }: World, path: string, card: string): void {
  if (stripe.enterCard(path, card) === 'challenge') questions.unshift({ path, card });
}

function change(world: World, form: Record<string, string>): void {
  const [id] = runningSubscription(world) ?? [];
  if (id !== undefined) world.stripe.request('POST', `/v1/subscriptions/${id}`, form);
}

function asSupport(world: World, work: () => void): void {
  world.supportIsActing = true;
  work();
  world.supportIsActing = false;
}

const runningSubscription = ({ subscriber, seconds }: World) =>
  runningSubscriptions(subscriber.model, seconds)[0];

/**
 * The customer's first invoice with one of these statuses. No page of Stripe's says what the payment or the
 * forgiveness of a resumption's invoice does after its period.
 */
const firstInvoice = (
  { stripe, customerId: customer = '', seconds }: World,
  ...of: Stripe.Invoice.Status[]
) =>
  stripe.ledger.invoices
    .list({ customer })
    .find(
      ({ billing_reason: reason, lines, status }) =>
        of.some((each) => each === status) &&
        (reason !== 'subscription_update' || lines.data.some(({ period }) => period.end > seconds)),
    );

const newestKeptPayment = ({ subscriber }: World) =>
  subscriber.model.payments.findLast(({ refunded }) => !refunded);

/** Writes Plus into the row, as the command of support does. Both stores write at once. */
function grantComplimentary(world: World, hours: number | undefined): void {
  const { subscriber } = world;
  const row = world.rowOf(subscriber);
  const isGrantable = row?.plan === 'free' && !row.closing_until;
  if (!isGrantable || world.customerId !== undefined || subscriber.deletionRequested) return;
  const until = hours === undefined ? undefined : world.seconds + hours * 3600;
  const fields: PlanFields = {
    plan: lowestPaidPlan,
    ...(until !== undefined && { plan_expires_at: new Date(until * 1000).toISOString() }),
  };
  void enqueuePlanNotices(world, row, { fields, hasNotices: true }, world.now);
  void world.planTable.decide(row, fields, world.now);
  subscriber.model = { ...subscriber.model, complimentary: { until } };
  subscriber.wasEntitled = true;
}

function openSecondCheckout(world: World): void {
  const { stripe, subscriber, checkoutSessions } = world;
  const customer = world.rowOf(subscriber)?.billing_customer_id;
  const lookupKey = lookupKeyOf(STAGE, world.offer);
  const price = stripe.ledger.prices.list().find(({ lookup_key: key }) => key === lookupKey)?.id;
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
