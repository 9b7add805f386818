import { api } from '../../schemas/api.ts';
import { stripeBilling } from '../adapters/billing.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { poolUsers } from '../adapters/pool-users.ts';
import { billingHint } from '../domain/billing-event.ts';
import { environment } from '../environment.ts';
import { followHint, type HintFollowing } from '../follow-hint.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';

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
