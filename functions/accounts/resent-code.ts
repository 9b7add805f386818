// The trigger of Cognito's mails imports this file on demand: only a code that is sent again needs it.
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { isSuppressed } from '../adapters/ses.ts';
import { removeForSignUp } from './address-ownership.ts';
import { isUndeliverable } from './is-undeliverable.ts';
import { isWithinLimit } from './within-limit.ts';

/** `isUndeliverable` with SES. */
export const isUndeliverableBySes = (email: string): Promise<boolean> =>
  isUndeliverable({ isSuppressed }, email);

/** `isWithinLimit` with a table. */
export const isWithinLimitOf = (table: string, email: string): Promise<boolean> =>
  isWithinLimit(addressLimits(table), 'sign-up', email, new Date());

/** `removeForSignUp` in a pool and a table. */
export const removeInPool = (addresses: string, poolId: string, username: string): Promise<boolean> =>
  removeForSignUp({ pool: cognitoUserPool(poolId), addresses: addressesTable(addresses) }, username);
