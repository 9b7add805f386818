import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type ProviderKey, providers } from '../../../schemas/product/providers.ts';
import { BROWSER_ATTRIBUTE, BROWSER_SECRET } from '../../../schemas/sign-up-browser.ts';
import { type Credentials, jsonOf, type LocalClient } from './client.ts';
import { cookieClient, type NewUser } from './cookie-client.ts';

/** Test cards. Source: https://docs.stripe.com/testing */
export const cards = { pays: '4242 4242 4242 4242', failsAtRenewal: '4000 0000 0000 0341' } as const;

// All people sign up and confirm in one browser.
const browserSecret = randomUUID();

/** Signs up as the sign-up page does. Resolves with the Cognito `sub`. */
export async function signUp(
  client: LocalClient,
  { name, email, password }: Credentials & { name: string },
): Promise<string> {
  const { UserSub } = (await client.cognito('SignUp', {
    ClientId: client.config.userPoolClientId,
    Username: email,
    Password: password,
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'name', Value: name },
      { Name: BROWSER_ATTRIBUTE, Value: createHash('sha256').update(browserSecret).digest('base64url') },
    ],
  })) as { UserSub: string };
  return UserSub;
}

/** Enters the code from the mail. */
export async function confirm(client: LocalClient, email: string): Promise<void> {
  await client.cognito('ConfirmSignUp', {
    ClientId: client.config.userPoolClientId,
    Username: email,
    ConfirmationCode: await client.codeFor(email),
    ClientMetadata: { [BROWSER_SECRET]: browserSecret },
  });
}

/** Buys Plus as the checkout page, Stripe's card form and the return page do. */
export async function buyPlus(
  client: LocalClient,
  { sub, name, email, token }: { sub: string; name: string; email: string; token: string },
  card: string = cards.pays,
): Promise<void> {
  const { clientSecret } = await client.call('create-checkout-session', {
    token,
    body: { planName: 'plus', userId: sub, userEmail: email },
  });
  await jsonOf(
    await fetch(`${client.endpoints.stripe}/embedded/${clientSecret}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number: card, expiry: '12 / 50', cvc: '123', name }),
    }),
  );
  const [session = ''] = clientSecret.split('_secret_');
  await client.call('session-status', { token, query: { session_id: session } });
}

/** The first try may only have linked two accounts, and on a busy machine a provider may answer too late. */
const WORTH_ANOTHER_TRY = /already found an entry|temporarily_unavailable/i;
const TRIES = 4;

export async function signInByProvider(
  client: LocalClient,
  provider: ProviderKey,
  user: NewUser,
): Promise<void> {
  let answer = await providerAnswer(client, provider, user);
  for (let tries = 1; tries < TRIES; tries += 1) {
    if (!WORTH_ANOTHER_TRY.test(answer.query.get('error_description') ?? '')) break;
    answer = await providerAnswer(client, provider, user);
  }
  const { query, redirectUri, verifier } = answer;
  const code = query.get('code');
  if (code === null) throw new Error(`${provider} did not sign ${user.email} in: ${query.toString()}`);
  const { access_token: token } = (await jsonOf(
    await fetch(`${client.config.signInOrigin}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client.config.userPoolClientId,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
      }),
    }),
  )) as { access_token: string };
  // The dashboard reads the plan, which creates the row of a provider's account.
  await client.call('plan', { token });
}

async function providerAnswer(client: LocalClient, provider: ProviderKey, user: NewUser) {
  const { signInOrigin, userPoolClientId } = client.config;
  const redirectUri = `${client.origin}/dashboard`;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: userPoolClientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile aws.cognito.signin.user.admin',
    state: randomUUID(),
    identity_provider: providers[provider].poolName,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const address = `${signInOrigin}/oauth2/authorize?${query.toString()}`;
  const { searchParams } = await cookieClient().arrive(address, user, redirectUri);
  return { query: searchParams, redirectUri, verifier };
}

/** Writes Plus into the row, as `npm run ops -- support grant` does. */
export async function giveComplimentaryPlan(client: LocalClient, sub: string): Promise<void> {
  // Loaded only here, since loading takes a tenth of a second.
  const sdk = await import('@aws-sdk/client-dynamodb');
  const dynamodb = new sdk.DynamoDBClient({
    endpoint: client.endpoints.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const { TableNames = [] } = await dynamodb.send(new sdk.ListTablesCommand());
    await dynamodb.send(
      new sdk.UpdateItemCommand({
        TableName: TableNames.find((name) => name.includes('-DataUserPlans')),
        Key: { id: { S: sub } },
        UpdateExpression: 'SET #plan = :plus ADD #version :one',
        ConditionExpression: '#plan = :free',
        ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
        ExpressionAttributeValues: {
          ':plus': { S: 'plus' },
          ':free': { S: 'free' },
          ':one': { N: '1' },
        },
      }),
    );
  } finally {
    dynamodb.destroy();
  }
}
