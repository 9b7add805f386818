import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { removeIfUnconfirmed } from './remove-unconfirmed.ts';

/** Deletes an account of a pool if it was never confirmed. Resolves with whether it was deleted. */
export const removeForSignUp = (addresses: string, poolId: string, username: string): Promise<boolean> =>
  removeIfUnconfirmed({ pool: cognitoUserPool(poolId), addresses: addressesTable(addresses) }, username);
