import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import { handlePreTokenGeneration } from '../../../functions/triggers/pre-token-generation.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { providerSentence } from '../../../web/src/oauth/cognito-message.ts';
import { type HostedCognito, poolId, startHostedCognito } from '../../fixtures/worlds/cognito-stand-in.ts';

const owner = 'ada@example.com';
const identity = { provider: 'google', id: '1234' } as const;

let world: HostedCognito;
let pool: AccountPool;
beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  world = await startHostedCognito({
    triggers: {
      PreTokenGeneration: (event) =>
        handlePreTokenGeneration({
          use: { record: async () => ({ address: owner }) },
          ownerOf: async () => owner,
          followAddress: async () => ({}),
          hasProvider: async (...of) =>
            (await import('../../../functions/adapters/cognito/has-provider.ts')).hasProvider(...of),
        })(event as never),
    },
  });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', world.origin);
  // The adapter keeps its client, which reads its endpoint once.
  vi.resetModules();
  const pools = await import('../../../functions/adapters/cognito/account-pool.ts');
  pool = pools.cognitoAccountPool(poolId);
});
afterEach(async () => {
  await world.stop();
  vi.unstubAllEnvs();
});

test('a provider that was taken off comes back neither by its cookie nor by a code that it has kept', async () => {
  await world.confirmedUser(owner);
  const account = await pool.find(owner);
  if (!account) throw new Error('There is no account.');
  await pool.link(identity, account);
  expect((await world.signIn()).access).toMatchObject({ sub: account.sub });
  const { code: kept = '' } = await world.arrive();

  await pool.unlink(identity);
  await pool.endSessions(account.username);

  const { code = '' } = await world.arrive();
  for (const left of [kept, code]) {
    const { status, body } = await world.exchange(left);
    expect(status).toBe(400);
    expect(providerSentence(body.error)).toBe(triggerRefusals.providerTakenOff);
  }
});
