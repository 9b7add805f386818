import { otherWayIn } from '../../schemas/trigger-refusals.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import { type Account, hasPassword, providersOf } from '../domain/account-linking.ts';
import { addressBrought } from '../domain/address-change.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { isClosing } from '../domain/closing.ts';
import { attempt } from '../runtime/attempt.ts';
import { log } from '../runtime/log.ts';
import { claimProvedAddress, holderOf } from './address-ownership.ts';
import { refusalToMail } from './refusal-to-mail.ts';
import { requestAddressChange, type RequestDependencies } from './request-address-change.ts';
import { updateAddressChange } from './update-address-change.ts';

/** A sign-in with a provider, after Cognito has written the provider's address over the account's. */
export interface ProviderSignIn {
  /** The account's `sub`. */
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
}

/**
 * Handles an address that a sign-in with a provider has brought. The account keeps its own, whose mailbox
 * decides, as for any change of address. Asks once for each address, and never for one that it has declined.
 *
 * An account without an address claims the provider's, if verified. Resolves with the account's address, or
 * with the sentence of a refusal if another account has proved the address.
 */
export async function followProviderAddress(
  dependencies: RequestDependencies & Uses<'planTable' | 'limits'> & { pool: AccountPool },
  { id, username, email, emailVerified }: ProviderSignIn,
  now: Date,
): Promise<{ address?: string | undefined; refused?: string }> {
  const { addressChanges, limits, planTable, pool } = dependencies;
  const row = await planTable.read(id);
  // A deletion removes the address.
  if (row && isClosing(row, now)) return {};
  const from = row?.address;
  const to = asciiLowerCase(email);
  if (from === undefined) {
    if (!emailVerified) return {};
    if (!(await claimProvedAddress(dependencies, email, username))) {
      return { refused: otherWayIn(wayIn(await holderOf(dependencies, email))) };
    }
    if (row) await planTable.writeAddress(id, to);
    return { address: to };
  }
  if (from === to && emailVerified) return { address: from };
  await pool.setAddress(username, from);
  if (!emailVerified) return { address: from };
  const brought = await updateAddressChange(addressChanges, id, (change) => addressBrought(change, to, now));
  const { waiting, declined } = brought ?? (await addressChanges.read(id)) ?? {};
  const isAsked = waiting?.to === to || waiting?.begun === true || declined === to;
  if (isAsked) return { address: from };
  const refused =
    (await refusalToMail({ limits }, { purpose: 'change', of: id }, now)) ??
    (await refusalToMail({ limits }, { purpose: 'new-address', of: to }, now));
  if (!refused) {
    await attempt('address-not-followed', { user: id }, () =>
      requestAddressChange(dependencies, { id, username, from, to, byProvider: true }, now),
    );
    log.info('address-brought', { user: id });
  }
  return { address: from };
}

const wayIn = (account: Account | undefined): Parameters<typeof otherWayIn>[0] =>
  account && !hasPassword(account) ? (providersOf(account)[0] ?? 'password') : 'password';
