import { once } from '../once.ts';
import { QUICK } from '../request-limits.ts';

const cognito = once(async () => {
  const sdk = await import('./user-list-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(QUICK) };
});

export const cognitoUserList = (poolId: string) => ({
  /** The `sub` of every confirmed user, in no order, at most sixty a page. */
  async *subs(): AsyncIterable<string[]> {
    const { sdk, client } = await cognito();
    for await (const { Users = [] } of sdk.paginateListUsers({ client }, { UserPoolId: poolId })) {
      yield Users.filter(({ UserStatus }) => UserStatus !== 'UNCONFIRMED').map(
        ({ Username = '', Attributes = [] }) =>
          Attributes.find(({ Name }) => Name === 'sub')?.Value ?? Username,
      );
    }
  },
});
export type UserList = ReturnType<typeof cognitoUserList>;
