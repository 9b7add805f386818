import { withdrawal } from '../../schemas/product/product.ts';
import { endpoint } from '../../schemas/routes/end-contract.ts';
import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { addresses } from '../adapters/tables.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { planNoticeAdapters } from '../notices/notice-adapters.ts';
import { proofsTable } from '../adapters/dynamodb/proofs-table.ts';
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
import { cancelPlus } from '../plans/cancel-plus.ts';
import type { Reconciled } from '../plans/reconcile.ts';
import { sendPlanNoticesSoon } from '../notices/send-plan-notices-soon.ts';
import { withdraw } from '../plans/withdraw.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

const adapters = {
  ...planAdapters,
  ...planNoticeAdapters,
  proofs: proofsTable,
  addresses,
  pool: userPool,
  /** Whether buyers may withdraw. */
  offersWithdrawal: () => withdrawal.offered,
};
type Dependencies = Made<typeof adapters>;

const NONE: EndContractResponse = { plan: 'free', state: 'none', until: null, withdrawUntil: null };

const trigger = routeLabel(endpoint);

/**
 * Ends a contract without a sign-in: whoever reads the account's mailbox may. The link works for a day and
 * any number of times, since what it does can be done once.
 */
export const endContract = (dependencies: Dependencies) => {
  const { offersWithdrawal } = dependencies;

  /** Resolves with the contract after the action. Undefined if the account was deleted meanwhile. */
  const end = async (
    action: 'cancel' | 'withdraw',
    row: UserPlan | undefined,
    now: Date,
  ): Promise<Contract | undefined> => {
    if (action === 'withdraw') {
      if (!row || !offersWithdrawal) throw refusal('withdrawal-over');
      return withdraw(dependencies, row, now, trigger);
    }
    if (!row) throw refusal('no-active-subscription');
    return (await cancelPlus(dependencies, row, now, { trigger })).after;
  };

  return route(endpoint, async ({ token, action }, { now }) => {
    const { proof, account, row } = (await readProof(dependencies, token, 'end-contract', now)) ?? {};
    if (!account || isUnconfirmed(account, proof?.email ?? '')) throw refusal('link-invalid');
    if (action === 'show')
      return describe(row && (await contractOf(dependencies.billing, row)), offersWithdrawal, now);
    const ended = await end(action, row, now);
    if (ended) await sendPlanNoticesSoon(dependencies, ended.row, async () => account.email, now);
    return describe(ended, offersWithdrawal, now);
  });
};

/** A user's contract: the row, and the subscriptions straight from Stripe. */
type Contract = Pick<Reconciled, 'row' | 'subscriptions'>;

async function contractOf(billing: Dependencies['billing'], row: UserPlan): Promise<Contract> {
  const customer = customerIdOf(row);
  return {
    row,
    subscriptions: customer === undefined ? [] : await billing.subscriptionsOf(customer, row),
  };
}

function describe(contract: Contract | undefined, offersWithdrawal: boolean, now: Date): EndContractResponse {
  if (!contract) return NONE;
  const { row, subscriptions } = contract;
  const active = activeSubscription(subscriptions, row);
  const withdrawUntil =
    offersWithdrawal && active && mayWithdraw(active, row.id, now)
      ? isoFromUnix(withdrawableUntil(active))
      : null;
  const standing = standingOf(row, subscriptions, now);
  const { plan = 'free' } = standing;
  switch (standing.kind) {
    case 'renews':
      return { plan, state: 'renews', until: standing.until ?? standing.on, withdrawUntil };
    case 'paused':
      return { plan, state: standing.on === null ? 'paused' : 'renews', until: standing.on, withdrawUntil };
    case 'pending':
    case 'failed':
      return { plan, state: 'due', until: standing.endsAt ?? standing.paysUntil, withdrawUntil };
    case 'unpaid':
      return { plan, state: 'due', until: null, withdrawUntil };
    case 'ends':
      return { plan, state: 'ends', until: standing.on, withdrawUntil };
    case 'complimentary':
      return { plan, state: 'complimentary', until: null, withdrawUntil };
    default:
      return NONE;
  }
}

export const handler = withAdapters(endpoint, adapters, endContract);
