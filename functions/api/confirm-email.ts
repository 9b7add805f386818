import type { AddressChange, PendingAddress } from '../../schemas/rows/address-change.ts';
import { endpoint } from '../../schemas/routes/confirm-email.ts';
import { addressAdapters } from '../accounts/address-adapters.ts';
import {
  assignAddress,
  type AssignmentDependencies,
  confirmAddress,
  isTaken,
  releaseAddress,
} from '../accounts/address-ownership.ts';
import { isCode, newUndoToken } from '../accounts/address-secrets.ts';
import { endSessions, type EndSessionsDependencies } from '../accounts/end-sessions.ts';
import {
  enqueuePropagation,
  type PropagatedUser,
  propagateAddress,
  type PropagationDependencies,
} from '../accounts/propagate-address.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import type { Mail } from '../adapters/ses.ts';
import {
  abandoned,
  codeRejected,
  confirmed,
  noChanges,
  pendingAt,
  rollbackFinished,
  rolledBack,
} from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangedEmail } from '../emails/email-changed.ts';
import { notify } from '../notices/notify.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends AssignmentDependencies, PropagationDependencies {
  sessionUser: Pick<SessionUser, 'profile' | 'endSessions'>;
  sessionEnds: EndSessionsDependencies['sessionEnds'];
  planTable: Pick<PlansTable, 'read'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: AssignmentDependencies['addresses'];
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Completes a change of the caller's address with the code mailed to the new address:
 *
 * 1. check that no other account has the new address;
 * 2. store the link that restores the earlier address, and use up the code;
 * 3. mail the earlier address; without this mail nothing changes;
 * 4. enqueue a task that tells Stripe, in case step 7 isn't reached;
 * 5. assign the address (the protocol: `functions/accounts/address-ownership.ts`);
 * 6. end every session, since one of them may be the reason for the change;
 * 7. propagate: release the earlier address, move the waitlist entry, tell Stripe.
 */
export const confirmEmail = (dependencies: Dependencies) => {
  const { sessionUser, planTable } = dependencies;
  return route(endpoint, { sessionUser, planTable }, async ({ code }, { user, profile, row, now }) => {
    const from = requireOwnAddress(profile);
    const redeemed = await redeem(dependencies, user, code, now);
    const to = redeemed.pending.email;
    const account = { id: user.id, customerId: row && customerIdOf(row) };
    await change(dependencies, account, { from, ...redeemed }, now);
    const sessionsEnded = await endSessions(dependencies, user, now);
    await propagateAddress(dependencies, account, { from: [from], to }, now);
    return { email: to, sessionsEnded };
  });
};

interface Redeemed {
  pending: PendingAddress;
  /** The item that the change was read from. */
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
  if (!pending) throw refusal('code-expired');
  if (isCode(code, pending)) return { pending, known };
  await updateAddressChange(addressChanges, id, (latest) => codeRejected(latest, now), known);
  throw refusal('wrong-code');
}

/** Performs steps 1 to 5. A refusal leaves everything unchanged. */
async function change(
  dependencies: Dependencies,
  user: PropagatedUser,
  { from, pending, known }: { from: string } & Redeemed,
  now: Date,
): Promise<void> {
  const { addressChanges, mail, siteUrl } = dependencies;
  const { id } = user;
  const to = pending.email;
  if (await isTaken(dependencies, to, id)) {
    await updateAddressChange(addressChanges, id, (latest) => abandoned(latest, now), known);
    throw refusal('address-taken');
  }
  const { token, hash } = newUndoToken(id);
  const confirm = (latest: AddressChange): AddressChange => {
    const next = confirmed(latest, pending.code_hash, { email: from, token_hash: hash }, now);
    if (!next) throw refusal('code-expired');
    return next;
  };
  const rollBack = (latest: AddressChange) => rolledBack(latest, hash, now);
  const finishRollback = (latest: AddressChange) => rollbackFinished(latest, hash, now);

  await updateAddressChange(addressChanges, id, confirm, known);
  if (!(await notify(mail, from, emailChangedEmail({ siteUrl, token, at: now })))) {
    await updateAddressChange(addressChanges, id, rollBack);
    await updateAddressChange(addressChanges, id, finishRollback);
    throw refusal('mail-not-sent');
  }
  await enqueuePropagation(dependencies, user, now);
  const assignment = await assignAddress(dependencies, id, to);
  if (assignment === 'assigned') return;
  await updateAddressChange(addressChanges, id, rollBack);
  // The link stays until the pool certainly has the address that the item names.
  await confirmAddress(dependencies, id);
  await updateAddressChange(addressChanges, id, finishRollback);
  await releaseAddress(dependencies.addresses, id, { email: to, username: id });
  throw refusal(assignment === 'taken' ? 'address-taken' : 'code-expired');
}

export const handler = withEnvironment(endpoint, (environment) =>
  confirmEmail({
    sessionUser: cognitoSessionUser(),
    ...addressAdapters(environment),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
    siteUrl: environment.SITE_URL,
  }),
);
