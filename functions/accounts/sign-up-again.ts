import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { removeForSignUp } from './remove-unconfirmed.ts';

/** `removeForSignUp` in a pool and a table. */
export const removeInPool = (addresses: string, poolId: string, username: string): Promise<boolean> =>
  removeForSignUp({ pool: cognitoUserPool(poolId), addresses: addressesTable(addresses) }, username);
