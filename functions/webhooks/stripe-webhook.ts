import { endpoint } from '../../schemas/routes/stripe-webhook.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { planNoticeAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { stripeEventSubject } from '../domain/stripe-event-subject.ts';
import { sendPlanNoticesSoon } from '../notices/send-plan-notices-soon.ts';
import { handleStripeEvent } from '../plans/handle-stripe-event.ts';
import { metric } from '../runtime/metric.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const adapters = { ...planAdapters, ...planNoticeAdapters, userPool };

export const handler = route(endpoint, adapters, async (_, { rawBody, header, now }, dependencies) => {
  const event = await dependencies.billing.verifyEvent(rawBody, header('stripe-signature') ?? '');
  if (!event) throw refusal(endpoint, 'bad-signature');
  metric('WebhooksReceived');
  const subject = stripeEventSubject(event, dependencies.billing.stage);
  const reconciled = subject && (await handleStripeEvent(dependencies, subject, now));
  if (reconciled) {
    const { id } = reconciled.row;
    await sendPlanNoticesSoon(dependencies, reconciled, () => dependencies.userPool.addressOf(id), now);
  }
  return { received: true as const };
});
