import type Stripe from 'stripe';
import { invalid } from '../errors.ts';
import { required, text } from '../fields.ts';
import { idOf, newId } from '../ids.ts';
import { inPath, route, type Route } from '../route.ts';
import { periodEnd, periodStart, saveSubscription } from '../subscriptions.ts';

/** Schedules as support puts them on a subscription. They have no phases: only what they forbid matters. */
export const subscriptionScheduleRoutes: Route[] = [
  route('POST', '/v1/subscription_schedules', { from_subscription: required(text) }, ({ ledger, input }) => {
    const before = inPath(ledger.subscriptions, input.from_subscription, 'subscription');
    const schedule = {
      id: newId('sub_sched'),
      object: 'subscription_schedule',
      application: null,
      billing_mode: before.billing_mode,
      canceled_at: null,
      completed_at: null,
      created: ledger.now(),
      current_phase: { end_date: periodEnd(before), start_date: periodStart(before) },
      customer: before.customer,
      customer_account: null,
      default_settings: {
        application_fee_percent: null,
        billing_cycle_anchor: 'automatic',
        billing_thresholds: null,
        collection_method: 'charge_automatically',
        default_payment_method: null,
        description: null,
        invoice_settings: {
          account_tax_ids: null,
          custom_fields: null,
          days_until_due: null,
          description: null,
          footer: null,
          issuer: { type: 'self' },
        },
        on_behalf_of: null,
        transfer_data: null,
      },
      end_behavior: 'release',
      livemode: false,
      metadata: {},
      pause_schedules: [],
      phases: [],
      released_at: null,
      released_subscription: null,
      status: 'active',
      subscription: before.id,
      test_clock: null,
    } satisfies Stripe.SubscriptionSchedule;
    ledger.schedules.put(schedule.id, schedule);
    saveSubscription(ledger, { ...before, schedule: schedule.id }, before);
    return schedule;
  }),

  route('POST', '/v1/subscription_schedules/:id/release', {}, ({ ledger, id }) => {
    const before = inPath(ledger.schedules, id, 'subscription_schedule');
    // "A schedule can only be released if its status is `not_started` or `active`": Stripe's reference.
    if (before.status !== 'active') {
      throw invalid(
        `You cannot release a subscription schedule that is currently in the \`${before.status}\` status.`,
      );
    }
    const released: Stripe.SubscriptionSchedule = {
      ...before,
      current_phase: null,
      released_at: ledger.now(),
      released_subscription: idOf(before.subscription),
      status: 'released',
      subscription: null,
    };
    ledger.schedules.put(id, released);
    const subscription = ledger.subscriptions.get(idOf(before.subscription));
    if (subscription) saveSubscription(ledger, { ...subscription, schedule: null }, subscription);
    return released;
  }),
];
