import { verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signingKey } from '../../../functions/adapters/kms.ts';
import { startWorld, type World } from '../../../infra/local/start-world.ts';

let world: World<'aws'>;

beforeAll(async () => {
  const Properties = { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' };
  world = await startWorld({ aws: { resources: { Signing: { Type: 'AWS::KMS::Key', Properties } } } });
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', world.aws.endpoints['KMS']);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.stop();
});

test.each([
  ['a short text', 'header.claims'],
  ['a text longer than KMS takes', 'x'.repeat(5_000)],
])('the signing key signs %s with RS256', async (_, text) => {
  const key = signingKey(world.aws.refOf('Signing'));
  const [signature, publicKey] = await Promise.all([key.sign(text), key.publicKey()]);
  expect(verify('RSA-SHA256', Buffer.from(text), publicKey, signature)).toBe(true);
  expect(verify('RSA-SHA256', Buffer.from(`${text}!`), publicKey, signature)).toBe(false);
});
