import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand, type SignCommandInput } from '@aws-sdk/client-kms';
import { afterEach, expect, test } from 'vitest';
import { Keys } from '../../aws/kms.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { Store } from '../../base/store.ts';
import { template } from '../fixtures/local-stack.ts';

let server: Loopback | undefined;
afterEach(() => server?.close());

const signing = { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' };
const stackOf = (properties: Record<string, unknown>) =>
  template({
    Signing: { Type: 'AWS::KMS::Key', Properties: properties },
    Other: { Type: 'AWS::KMS::Key', Properties: signing },
    Named: {
      Type: 'AWS::KMS::Alias',
      Properties: { AliasName: 'alias/signing', TargetKeyId: { 'Fn::GetAtt': ['Signing', 'Arn'] } },
    },
  });

async function world(store = new Store(':memory:')) {
  const keys = new Keys({ store });
  const stack = stackOf(signing);
  await keys.update(stack);
  server = await listen(0, keys.handle);
  const client = new KMSClient({
    endpoint: `http://127.0.0.1:${server.port}`,
  });
  const [key, other] = stack.of('AWS::KMS::Key');
  const id = key?.ref ?? '';
  return {
    store,
    id,
    arn: key?.attribute('Arn') ?? '',
    other: other?.ref ?? '',
    sign: (input: Partial<SignCommandInput>) =>
      client.send(
        new SignCommand({
          KeyId: id,
          Message: Buffer.from('text'),
          SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
          ...input,
        }),
      ),
    publicKey: async (KeyId = id) => {
      const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId }));
      return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
    },
  };
}

test.each<[string, Partial<SignCommandInput>, string]>([
  ['a key that is not there', { KeyId: 'aaaaaaaa-0000-4000-8000-000000000000' }, 'NotFoundException'],
  ['an alias that is not there', { KeyId: 'alias/none' }, 'NotFoundException'],
  ['an algorithm of other keys', { SigningAlgorithm: 'ECDSA_SHA_256' }, 'InvalidKeyUsageException'],
  [
    'an algorithm that the local world lacks',
    { SigningAlgorithm: 'RSASSA_PSS_SHA_256' },
    'UnsupportedOperationException',
  ],
  ['an unknown algorithm', { SigningAlgorithm: 'ROT13' as 'SM2DSA' }, 'ValidationException'],
  [
    'a digest of the wrong length',
    { Message: Buffer.alloc(20), MessageType: 'DIGEST' },
    'ValidationException',
  ],
  ['an empty message', { Message: Buffer.alloc(0) }, 'ValidationException'],
])("%s is refused with the SDK's error name", async (_, input, name) => {
  const { sign } = await world();
  await expect(sign(input)).rejects.toMatchObject({ name });
});

test.each([
  ['encrypts', {}],
  ['has another spec', { ...signing, KeySpec: 'ECC_NIST_P256' }],
  ['verifies codes', { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' }],
])('a stack with a key that %s is refused', async (_, properties) => {
  const keys = new Keys({ store: new Store(':memory:') });
  await expect(async () => keys.update(stackOf(properties))).rejects.toThrow(
    /can't stand up Signing \(AWS::KMS::Key\): its property (KeySpec|KeyUsage)/,
  );
});
