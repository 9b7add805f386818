import { createHash, createPublicKey } from 'node:crypto';
import { once } from './once.ts';
import { QUICK } from './request-limits.ts';

const kms = once(async () => {
  const sdk = await import('./kms-sdk.ts');
  return { sdk, client: new sdk.KMSClient(QUICK) };
});

/** The RSA key that signs ID tokens. Its private half never leaves KMS. */
export const signingKey = (keyId: string) => ({
  /** Signs as RS256 does: RSASSA-PKCS1-v1_5 with SHA-256. */
  async sign(text: string): Promise<Buffer> {
    const { sdk, client } = await kms();
    const { Signature } = await client.send(
      new sdk.SignCommand({
        KeyId: keyId,
        // KMS gets the digest, because it signs at most 4,096 bytes and names have no limit.
        Message: createHash('sha256').update(text).digest(),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      }),
    );
    if (!Signature) throw new Error('KMS answered without a signature.');
    return Buffer.from(Signature);
  },

  /** Cached: the public key of an asymmetric KMS key never changes. */
  publicKey: once(async () => {
    const { sdk, client } = await kms();
    const { PublicKey } = await client.send(new sdk.GetPublicKeyCommand({ KeyId: keyId }));
    if (!PublicKey) throw new Error('KMS answered without a public key.');
    return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
  }),
});
export type SigningKey = ReturnType<typeof signingKey>;
