import { api } from '../../schemas/api.ts';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { poolUsers } from '../adapters/cognito/user-pool.ts';
import { billingHint } from '../domain/stripe-event-subject.ts';
import { environment } from '../runtime/environment.ts';
import { followHint, type HintFollowing } from '../plans/handle-stripe-event.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

export const receiveEvent = (keeping: HintFollowing) =>
  route(api['stripe-webhook'], async (_, { rawBody, header, now }) => {
    const event = await keeping.billing.signedEvent(rawBody, header('stripe-signature') ?? '');
    if (!event) throw new Refusal('bad-signature');
    const hint = billingHint(event);
    if (hint) await followHint(keeping, hint, now);
    return { received: true as const };
  });

const settings = environment('writePlans', 'deletePlans', 'findAccounts', 'stripe');
export const handler = receiveEvent({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  users: poolUsers(settings.USER_POOL_ID),
});
