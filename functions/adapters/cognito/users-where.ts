import type {
  CognitoIdentityProviderClient,
  paginateListUsers,
  UserType,
} from '@aws-sdk/client-cognito-identity-provider';

interface Cognito {
  paginate: typeof paginateListUsers;
  client: CognitoIdentityProviderClient;
}

/** The users whose attribute is exactly this value, in no order, at most sixty a page. Lags some seconds. */
export async function* usersWhere(
  { paginate, client }: Cognito,
  UserPoolId: string,
  [attribute, value]: readonly [attribute: 'email' | 'sub' | 'cognito:user_status', value: string],
): AsyncGenerator<UserType[]> {
  const Filter = `${attribute} = "${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  for await (const { Users = [] } of paginate({ client }, { UserPoolId, Filter })) yield Users;
}
