import type { UserType } from '@aws-sdk/client-cognito-identity-provider';
import type { BackedUpUser } from '../../../schemas/rows/user-backup.ts';
import { once } from '../once.ts';
import { QUICK } from '../request-limits.ts';
import { identitiesIn } from './identities.ts';

/** All users of the pool. */
export interface UserList {
  /**
   * The users whose `sub` begins with these characters; all users for an empty prefix. Page by page, in no
   * order, at most sixty a page. Leaves out users who were never confirmed: anyone may have typed their
   * address.
   */
  beginningWith(prefix: string): AsyncIterable<BackedUpUser[]>;
}

const cognito = once(async () => {
  const sdk = await import('./user-list-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(QUICK) };
});

export function cognitoUserList(poolId: string): UserList {
  return {
    async *beginningWith(prefix) {
      const { sdk, client } = await cognito();
      const parameters = { UserPoolId: poolId, ...(prefix !== '' && { Filter: `sub ^= "${prefix}"` }) };
      for await (const { Users = [] } of sdk.paginateListUsers({ client }, parameters)) {
        yield Users.filter(({ UserStatus }) => UserStatus !== 'UNCONFIRMED').map(backedUp);
      }
    },
  };
}

function backedUp({ Username = '', Enabled, UserCreateDate, Attributes = [] }: UserType): BackedUpUser {
  const attribute = (name: string) => Attributes.find(({ Name }) => Name === name)?.Value;
  const name = attribute('name');
  return {
    sub: attribute('sub') ?? Username,
    username: Username,
    email: attribute('email') ?? '',
    email_verified: attribute('email_verified') === 'true',
    ...(name !== undefined && { name }),
    enabled: Enabled !== false,
    created_at: (UserCreateDate ?? new Date(0)).toISOString(),
    identities: identitiesIn(attribute('identities')).map(({ providerName, userId }) => ({
      provider: providerName,
      id: userId,
    })),
  };
}
