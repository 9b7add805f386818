import { verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signingKey } from '../../../functions/adapters/kms.ts';
import { Keys } from '../../../infra/local/aws/kms.ts';
import { listen, type Loopback } from '../../../infra/local/base/loopback.ts';
import { Store } from '../../../infra/local/base/store.ts';
import { template } from '../../fixtures/worlds/local-stack.ts';

let server: Loopback;
let keyId: string;

beforeAll(async () => {
  const stack = template({
    Signing: { Type: 'AWS::KMS::Key', Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' } },
  });
  const keys = new Keys({ store: new Store(':memory:') });
  await keys.update(stack);
  keyId = stack.of('AWS::KMS::Key')[0]?.ref ?? '';
  server = await listen(0, keys.handle);
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', `http://127.0.0.1:${server.port}`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

test.each([
  ['a short text', 'header.claims'],
  ['a text longer than KMS takes', 'x'.repeat(5_000)],
])('the signing key signs %s with RS256', async (_, text) => {
  const key = signingKey(keyId);
  const [signature, publicKey] = await Promise.all([key.sign(text), key.publicKey()]);
  expect(verify('RSA-SHA256', Buffer.from(text), publicKey, signature)).toBe(true);
  expect(verify('RSA-SHA256', Buffer.from(`${text}!`), publicKey, signature)).toBe(false);
});
