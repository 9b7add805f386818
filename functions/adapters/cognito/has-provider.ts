// The trigger of Cognito's tokens imports this file on demand, and needs no more of the pool.
import { AdminGetUserCommand, CognitoIdentityProviderClient } from './user-pool-sdk.ts';
import { QUICK } from '../request-limits.ts';

/** Whether the pool's account can be signed in to with a provider. */
export async function hasProvider(poolId: string, username: string): Promise<boolean> {
  const client = new CognitoIdentityProviderClient(QUICK);
  const { UserAttributes = [] } = await client.send(
    new AdminGetUserCommand({ UserPoolId: poolId, Username: username }),
  );
  return UserAttributes.some(({ Name, Value = '[]' }) => Name === 'identities' && Value !== '[]');
}
