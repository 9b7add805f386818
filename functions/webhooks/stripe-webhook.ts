import { endpoint } from '../../schemas/routes/stripe-webhook.ts';
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { stripeEventSubject } from '../domain/stripe-event-subject.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { handleStripeEvent, type StripeEventDependencies } from '../plans/handle-stripe-event.ts';
import { metric } from '../runtime/metric.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const refusal = refusalsOf<typeof endpoint>();

export const receiveEvent = (dependencies: StripeEventDependencies) =>
  route(endpoint, async (_, { rawBody, header, now }) => {
    const event = await dependencies.billing.verifyEvent(rawBody, header('stripe-signature') ?? '');
    if (!event) throw refusal('bad-signature');
    metric('WebhooksReceived');
    const subject = stripeEventSubject(event, dependencies.billing.stage);
    if (subject) await handleStripeEvent(dependencies, subject, now);
    return { received: true as const };
  });

export const handler = withEnvironment(endpoint, (environment) =>
  receiveEvent({ ...planAdapters(environment), userPool: cognitoUserPool(environment.USER_POOL_ID) }),
);
