import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followProviderAddress } from '../../../functions/accounts/follow-provider-address.ts';
import { setPasswordOf } from '../../../functions/accounts/open-account.ts';
import type { AccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import { handlePostConfirmation } from '../../../functions/triggers/post-confirmation.ts';
import { handlePreTokenGeneration } from '../../../functions/triggers/pre-token-generation.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { providerSentence } from '../../../web/src/oauth/cognito-message.ts';
import { browserThatSignsUp } from '../../fixtures/worlds/account.ts';
import {
  asTrigger,
  clientId,
  type HostedCognito,
  password,
  poolId,
  Schema,
  startHostedCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';
import { addressDependencies } from '../../fixtures/fakes/address-world.ts';

// The product's triggers and its adapter, over HTTP to the stand-in.
let cognito: HostedCognito;
let pool: AccountPool;
let parts: ReturnType<typeof addressDependencies>;
/** Set to make Cognito refuse to discard a password, and to delete the account instead. */
let poolFails = false;

const down = () => Promise.reject(new Error('TooManyRequestsException'));

beforeEach(async () => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  poolFails = false;
  parts = addressDependencies();
  const { addresses, planTable } = parts;
  cognito = await startHostedCognito({
    pool: {
      Schema,
    },
    triggers: {
      PostConfirmation: asTrigger(
        handlePostConfirmation({
          ...parts,
          users: () => (poolFails ? { ...pool, remove: down } : pool),
          discardSignUp: (_, username) => (poolFails ? down() : pool.discardPassword(username)),
        }),
      ),
      PreTokenGeneration: asTrigger(
        handlePreTokenGeneration({
          use: { record: async (id) => planTable.rows.get(id) },
          hasProvider: async (...of) =>
            (await import('../../../functions/adapters/cognito/has-provider.ts')).hasProvider(...of),
          ownerOf: (address) => addresses.ownerOf(address),
          followAddress: (_, signIn, now) => followProviderAddress({ ...parts, pool }, signIn, now),
        }),
      ),
    },
  });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', cognito.origin);
  // The adapter keeps its client, which reads its endpoint once.
  vi.resetModules();
  const pools = await import('../../../functions/adapters/cognito/account-pool.ts');
  pool = pools.cognitoAccountPool(poolId);
});
afterEach(async () => {
  await cognito.stop();
  vi.unstubAllEnvs();
});

/** A sign-in with the same account at Google, which now has this address. */
const signInAt = (email: string) => {
  cognito.provider.account.email = email;
  cognito.changeBrowser();
  return cognito.signIn();
};

test('an address that was changed at Google is asked about by mail, and the account and its tokens keep their own', async () => {
  const { access } = await signInAt('old@example.com');
  const id = String(access.sub);
  expect(parts.planTable.rows.get(id)).toMatchObject({ address: 'old@example.com', made_by: 'google' });
  for (let times = 0; times < 2; times += 1) {
    expect((await signInAt('new@example.com')).identity).toMatchObject({ sub: id, email: 'old@example.com' });
    expect(await pool.find('google_1234')).toMatchObject({ email: 'old@example.com', emailVerified: true });
  }
  expect([...parts.addresses.owners]).toEqual([['old@example.com', 'google_1234']]);
  expect(parts.mail.sent.map(({ to, email }) => [to, email.name])).toEqual([
    ['old@example.com', 'email-change-requested'],
    ['new@example.com', 'email-proof'],
  ]);
});

test('a password that could not be discarded opens nothing, and a reset opens the account', async () => {
  const email = 'ada@example.com';
  const stranger = browserThatSignsUp();
  await cognito.call('SignUp', {
    ClientId: clientId,
    Username: email,
    Password: password,
    UserAttributes: [stranger.attribute],
  });
  poolFails = true;
  const ConfirmationCode = cognito.lastMail(email).code;
  const confirmed = await cognito.call('ConfirmSignUp', {
    ClientId: clientId,
    Username: email,
    ConfirmationCode,
  });
  expect(confirmed.error).toBe('UserLambdaValidationException');
  expect(await pool.find(email)).toMatchObject({ status: 'CONFIRMED' });
  expect(await cognito.signInRaw(email)).toMatchObject({
    error: 'UserLambdaValidationException',
    message: `PreTokenGeneration failed with error ${triggerRefusals.confirmationUnfinished}.`,
  });
  const account = await pool.find(email);
  if (!account) throw new Error('There is no account.');
  const now = cognito.clock.now();
  await setPasswordOf({ ...parts, pool }, account, { email, password: 'battery staple' }, now);
  expect((await cognito.signInRaw(email, 'battery staple')).error).toBeUndefined();
});

test('a provider that was taken off comes back neither by its cookie nor by a code that it has kept', async () => {
  const owner = 'ada@example.com';
  const identity = { provider: 'google', id: '1234' } as const;
  await cognito.confirmedUser(owner);
  const account = await pool.find(owner);
  if (!account) throw new Error('There is no account.');
  parts.planTable.put({ id: account.sub, address: owner });
  parts.addresses.owners.set(owner, account.username);
  await pool.link(identity, account);
  expect((await signInAt(owner)).access).toMatchObject({ sub: account.sub });
  const { code: kept = '' } = await cognito.arrive();

  await pool.unlink(identity);
  await pool.endSessions(account.username);

  const { code = '' } = await cognito.arrive();
  for (const left of [kept, code]) {
    const { status, body } = await cognito.exchange(left);
    expect(status).toBe(400);
    expect(providerSentence(body.error)).toBe(triggerRefusals.providerTakenOff);
  }
});
