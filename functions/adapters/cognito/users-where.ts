import type {
  CognitoIdentityProviderClient,
  paginateListUsers,
  UserType,
} from '@aws-sdk/client-cognito-identity-provider';

interface Cognito {
  paginate: typeof paginateListUsers;
  client: CognitoIdentityProviderClient;
}

/**
 * The users of a pool whose attribute has exactly this value: page by page, in no order, at most sixty a
 * page. The list lags some seconds behind the pool.
 */
export async function* usersWhere(
  { paginate, client }: Cognito,
  UserPoolId: string,
  [attribute, value]: readonly [attribute: 'email' | 'sub' | 'cognito:user_status', value: string],
): AsyncGenerator<UserType[]> {
  const Filter = `${attribute} = "${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  for await (const { Users = [] } of paginate({ client }, { UserPoolId, Filter })) yield Users;
}
