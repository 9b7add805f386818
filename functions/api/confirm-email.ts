import type { AddressChange, PendingAddress } from '../../schemas/address-change.ts';
import { endpoint } from '../../schemas/routes/confirm-email.ts';
import { endSessions } from '../accounts/end-sessions.ts';
import { isCode, newUndoToken } from '../accounts/address-secrets.ts';
import { changeItem } from '../accounts/change-item.ts';
import { followAddress, type FollowDependencies, promiseToFollow } from '../accounts/follow-address.ts';
import { giveAddress, settleAddress } from '../accounts/give-address.ts';
import { releaseAddress } from '../accounts/release-address.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { isTaken } from '../accounts/take-address.ts';
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
  withTakenBack,
  withWrongCode,
} from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangedEmail } from '../emails/email-changed.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends FollowDependencies {
  sessionUser: Pick<SessionUser, 'profile' | 'endSessions'>;
  plans: Pick<PlansTable, 'read'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: Addresses;
  pool: Pick<AccountPool, 'find' | 'setAddress' | 'remove' | 'distrustAddress'>;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Completes a change of the caller's address with the code that its mailbox got:
 *
 * 1. see that nobody else has the new address;
 * 2. store that the earlier address can take the account back, and use up the code;
 * 3. mail the earlier address; without this mail nothing is changed;
 * 4. leave a task that tells Stripe, in case that step 7 isn't reached;
 * 5. claim the address and set it;
 * 6. end every session, since one of them may be the reason for the change;
 * 7. follow: release the earlier address, move the waitlist entry, tell Stripe.
 */
export const confirmEmail = (dependencies: Dependencies) => {
  const { sessionUser, plans } = dependencies;
  return route(endpoint, { sessionUser, plans }, async ({ code }, { user, profile, row, now }) => {
    const from = requireOwnAddress(profile);
    const redeemed = await redeem(dependencies, user, code, now);
    const to = redeemed.pending.email;
    const followed = { id: user.id, customerId: row && customerIdOf(row) };
    await change(dependencies, followed, { from, ...redeemed }, now);
    const sessionsEnded = await endSessions(sessionUser, user);
    await followAddress(dependencies, followed, { from: [from], to }, now);
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

/** Steps 1 to 5. Refuses with nothing changed. */
async function change(
  dependencies: Dependencies,
  user: { id: string; customerId: string | undefined },
  { from, pending, known }: { from: string } & Redeemed,
  now: Date,
): Promise<void> {
  const { addressChanges, mail, siteUrl } = dependencies;
  const { id } = user;
  const to = pending.email;
  if (await isTaken(dependencies, to, id)) {
    await changeItem(addressChanges, id, (latest) => withoutPending(latest, now), known);
    throw new Refusal('address-taken');
  }
  const { token, hash } = newUndoToken(id);
  const spend = (latest: AddressChange): AddressChange => {
    // A code counts once, and not after the wrong ones of a request that was faster.
    if (pendingAt(latest, now)?.code_hash !== pending.code_hash) throw new Refusal('code-expired');
    return withChanged(latest, { email: from, token_hash: hash }, now);
  };
  await changeItem(addressChanges, id, spend, known);
  // An undo that ran meanwhile has dropped the entry, and named the address that counts.
  const entryIn = (latest: AddressChange) => earlierBy(latest, hash, now);
  const takeBack = (latest: AddressChange) => {
    const entry = entryIn(latest);
    return entry && withTakenBack(latest, entry, now);
  };
  const dropLink = (latest: AddressChange) => {
    const entry = entryIn(latest);
    return entry && withoutEarlier(latest, entry, now);
  };
  if (!(await notify(mail, from, emailChangedEmail({ siteUrl, token, at: now })))) {
    await changeItem(addressChanges, id, takeBack);
    await changeItem(addressChanges, id, dropLink);
    throw new Refusal('mail-not-sent');
  }
  await promiseToFollow(dependencies, user, now);
  const given = await giveAddress(dependencies, id, to);
  if (given === 'given') return;
  // The link stays until the pool certainly has the address that the item names.
  await changeItem(addressChanges, id, takeBack);
  await settleAddress(dependencies, id);
  await changeItem(addressChanges, id, dropLink);
  await releaseAddress(dependencies.addresses, id, { email: to, username: id });
  throw new Refusal(given === 'taken' ? 'address-taken' : 'code-expired');
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
