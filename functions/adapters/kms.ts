import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { once } from './once.ts';

/** The RSA key that vouches for people. Its private half never leaves KMS. */
export interface IdentityKey {
  /** Signs as RS256 does: RSASSA-PKCS1-v1_5 over the text's SHA-256. */
  sign(text: string): Promise<Buffer>;
  publicKey(): Promise<KeyObject>;
}

const kms = once(async () => {
  const sdk = await import('@aws-sdk/client-kms');
  return { sdk, client: new sdk.KMSClient() };
});

export const identityKey = (keyId: string): IdentityKey => ({
  async sign(text) {
    const { sdk, client } = await kms();
    const { Signature } = await client.send(
      new sdk.SignCommand({
        KeyId: keyId,
        // The digest and not the text: KMS takes no more than 4,096 bytes, and nobody bounds a name.
        Message: createHash('sha256').update(text).digest(),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      }),
    );
    if (!Signature) throw new Error('KMS answered without a signature.');
    return Buffer.from(Signature);
  },

  // Kept: the key of an asymmetric KMS key doesn't change.
  publicKey: once(async () => {
    const { sdk, client } = await kms();
    const { PublicKey } = await client.send(new sdk.GetPublicKeyCommand({ KeyId: keyId }));
    if (!PublicKey) throw new Error('KMS answered without a public key.');
    return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
  }),
});
