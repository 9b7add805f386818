import { addressChanges, addresses, limits, planTable, tasks } from '../adapters/tables.ts';
import { cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import type { backgroundFunctions } from '../../schemas/background-functions.ts';
import type { Environment } from '../../schemas/config/environment.ts';
import { made } from '../runtime/with-environment.ts';
import { followProviderAddress, type ProviderSignIn } from './follow-provider-address.ts';

const adapters = { addressChanges, addresses, limits, planTable, tasks, ...linkAdapters };

/** `followProviderAddress` for the trigger of Cognito's tokens, which imports this file on demand. */
export const followAt =
  (environment: Environment<(typeof backgroundFunctions)['triggers/pre-token-generation']>) =>
  (poolId: string, signIn: ProviderSignIn, now: Date): ReturnType<typeof followProviderAddress> =>
    followProviderAddress({ ...made(adapters, environment), pool: cognitoAccountPool(poolId) }, signIn, now);
