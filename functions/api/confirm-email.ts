import type { AddressChange, PendingAddress } from '../../schemas/address-change.ts';
import { endpoint } from '../../schemas/routes/confirm-email.ts';
import { isCode, newUndoToken } from '../accounts/address-secrets.ts';
import { changeItem } from '../accounts/change-item.ts';
import { claimAddress } from '../accounts/claim-address.ts';
import { followAddress, type FollowDependencies } from '../accounts/follow-address.ts';
import { releaseAddress } from '../accounts/release-address.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { takeAddress } from '../accounts/take-address.ts';
import { type AccountPool, cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type Addresses, addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import {
  earlierBy,
  noChanges,
  pendingAt,
  withChanged,
  withoutEarlier,
  withoutPending,
  withWrongCode,
} from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangedEmail } from '../emails/email-changed.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends FollowDependencies {
  sessionUser: Pick<SessionUser, 'profile' | 'endSessions'>;
  plans: Pick<PlansTable, 'read'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: Addresses;
  pool: Pick<AccountPool, 'find' | 'setAddress' | 'remove'>;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Completes a change of the caller's address with the code that its mailbox got:
 *
 * 1. claim the new address;
 * 2. store that the earlier address can take the account back, and use up the code;
 * 3. mail the earlier address; without this mail nothing is changed;
 * 4. set the address;
 * 5. end every session, since one of them may be the reason for the change;
 * 6. follow: release the earlier address, move the waitlist entry, tell Stripe.
 */
export const confirmEmail = (dependencies: Dependencies) => {
  const { sessionUser, plans } = dependencies;
  return route(endpoint, { sessionUser, plans }, async ({ code }, { user, profile, row, now }) => {
    const from = requireOwnAddress(profile);
    const redeemed = await redeem(dependencies, user, code, now);
    const to = redeemed.pending.email;
    await change(dependencies, user, { from, ...redeemed }, now);
    const sessionsEnded = await endSessions(sessionUser, user);
    const customerId = row && customerIdOf(row);
    await followAddress(dependencies, { id: user.id, customerId }, { from, to }, now);
    return { email: to, sessionsEnded };
  });
};

interface Redeemed {
  pending: PendingAddress;
  /** The item that it was read from. */
  known: AddressChange;
}

/** The pending change that the code belongs to. A wrong code is counted before it is refused. */
async function redeem(
  { addressChanges }: Dependencies,
  { id }: User,
  code: string,
  now: Date,
): Promise<Redeemed> {
  const known = (await addressChanges.read(id)) ?? noChanges(id);
  const pending = pendingAt(known, now);
  if (!pending) throw new Refusal('code-expired');
  if (isCode(code, pending)) return { pending, known };
  await changeItem(
    addressChanges,
    id,
    (latest) => (pendingAt(latest, now) ? withWrongCode(latest, now) : undefined),
    known,
  );
  throw new Refusal('wrong-code');
}

/** Steps 1 to 4. Refuses with nothing changed. */
async function change(
  dependencies: Dependencies,
  { id }: User,
  { from, pending, known }: { from: string } & Redeemed,
  now: Date,
): Promise<void> {
  const { addressChanges, addresses, mail, siteUrl } = dependencies;
  const to = pending.email;
  if (!(await takeAddress(dependencies, to, id))) {
    await changeItem(addressChanges, id, (latest) => withoutPending(latest, now), known);
    throw new Refusal('address-taken');
  }
  const { token, hash } = newUndoToken(id);
  const spend = (latest: AddressChange): AddressChange => {
    // A code counts once, and not after the wrong ones of a request that was faster.
    if (pendingAt(latest, now)?.code_hash !== pending.code_hash) throw new Refusal('code-expired');
    return withChanged(latest, { email: from, token_hash: hash }, now);
  };
  const changed = await changeItem(addressChanges, id, spend, known);
  const takeBack = async () => {
    await changeItem(
      addressChanges,
      id,
      (latest) => {
        const entry = earlierBy(latest, hash, now);
        return entry && withoutEarlier({ ...latest, current: from }, entry, now);
      },
      changed,
    );
    await releaseAddress(addresses, id, { email: to, username: id });
  };
  if (!(await notify(mail, from, emailChangedEmail({ siteUrl, token, at: now })))) {
    await takeBack();
    throw new Refusal('mail-not-sent');
  }
  if (!(await setAddress(dependencies, id, { from, to }))) {
    await takeBack();
    throw new Refusal('address-taken');
  }
  await yieldToUndo(dependencies, id, to);
}

/** Resolves with false, and changes nothing, if another account has proved the address meanwhile. */
async function setAddress(
  { pool, addresses }: Dependencies,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  if (!(await pool.setAddress(id, to))) return false;
  if ((await claimAddress({ pool, addresses }, to, id)).kind === 'claimed') return true;
  await pool.setAddress(id, from);
  return false;
}

/**
 * An undo that ran since the item was written has lost to this change in the pool, and has to win: its owner
 * proved an earlier address.
 */
async function yieldToUndo({ addressChanges, pool }: Dependencies, id: string, to: string): Promise<void> {
  const current = (await addressChanges.read(id))?.current;
  if (current === undefined || current === to) return;
  await pool.setAddress(id, current);
  throw new Refusal('code-expired');
}

/** Resolves with false on failure: the address has been changed, and the answer must say so. */
async function endSessions(sessionUser: Pick<SessionUser, 'endSessions'>, user: User): Promise<boolean> {
  try {
    await sessionUser.endSessions(user.accessToken);
    return true;
  } catch (error) {
    log.error('sessions-not-ended', { user: user.id }, error);
    return false;
  }
}

export const handler = withEnvironment(endpoint.needs, (environment) =>
  confirmEmail({
    sessionUser: cognitoSessionUser(),
    plans: plansTable(environment.PLANS_TABLE),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    pool: cognitoAccountPool(environment.USER_POOL_ID),
    waitlist: waitlistTable(environment.WAITLIST_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
