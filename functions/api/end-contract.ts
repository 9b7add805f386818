import { withdrawal } from '../../schemas/product/product.ts';
import { endpoint } from '../../schemas/routes/end-contract.ts';
import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { addresses, proofs } from '../adapters/tables.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { planNoticeAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { EndContractResponse } from '../../schemas/shapes/end-contract.ts';
import { readProof } from '../accounts/read-proof.ts';
import { isUnconfirmed } from '../domain/account-linking.ts';
import { activeSubscription } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { standingOf } from '../domain/standing.ts';
import { isoFromUnix } from '../domain/unix-time.ts';
import { mayWithdraw, withdrawableUntil } from '../domain/withdrawal.ts';
import { askedFacts } from '../plans/asked-facts.ts';
import { cancelPlus } from '../plans/cancel-plus.ts';
import type { Reconciled } from '../plans/reconcile.ts';
import { sendPlanNoticesSoon } from '../notices/send-plan-notices-soon.ts';
import { withdraw } from '../plans/withdraw.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import type { Made } from '../runtime/with-environment.ts';

const adapters = {
  ...planAdapters,
  ...planNoticeAdapters,
  proofs,
  addresses,
  pool: userPool,
  offersWithdrawal: () => withdrawal.offered,
};
type Dependencies = Made<typeof adapters>;
type Contract = Pick<Reconciled, 'row' | 'subscriptions' | 'facts'>;

const trigger = routeLabel(endpoint);

/** Ends a contract without a sign-in: a reader of the account's mailbox may, any number of times in a day. */
export const handler = route(endpoint, adapters, async ({ token, action }, { now }, dependencies) => {
  const { proof, account, row } = (await readProof(dependencies, token, 'end-contract', now)) ?? {};
  if (!account || isUnconfirmed(account, proof?.email ?? '')) throw refusal(endpoint, 'link-invalid');
  if (action === 'show') {
    const customer = row && customerIdOf(row);
    const subscriptions = row && customer ? await dependencies.billing.subscriptionsOf(customer, row) : [];
    return describe(dependencies, row && { row, subscriptions }, now);
  }
  const ended = await end(dependencies, action, row, now);
  if (ended) await sendPlanNoticesSoon(dependencies, ended, async () => account.email, now);
  return describe(dependencies, ended, now);
});

/** Resolves with the contract after the action. Undefined if the account was deleted meanwhile. */
async function end(
  dependencies: Dependencies,
  action: 'cancel' | 'withdraw',
  row: UserPlan | undefined,
  now: Date,
): Promise<Contract | undefined> {
  if (action === 'withdraw') {
    if (!row || !dependencies.offersWithdrawal) throw refusal(endpoint, 'withdrawal-over');
    return withdraw(dependencies, row, now, trigger);
  }
  if (!row) throw refusal(endpoint, 'no-active-subscription');
  return (await cancelPlus(dependencies, row, now, { trigger })).after;
}

async function describe(
  { offersWithdrawal, billing }: Dependencies,
  contract: Contract | undefined,
  now: Date,
): Promise<EndContractResponse> {
  if (!contract) return { standing: { kind: 'free', endedAt: null }, withdrawUntil: null };
  const { row, subscriptions } = contract;
  const active = activeSubscription(subscriptions, row);
  const mayStill = offersWithdrawal && active && mayWithdraw(active, row.id, now);
  const asked = active && (await askedFacts(billing, active, subscriptions));
  return {
    standing: standingOf(row, subscriptions, now, asked),
    withdrawUntil: mayStill ? isoFromUnix(withdrawableUntil(active)) : null,
  };
}
