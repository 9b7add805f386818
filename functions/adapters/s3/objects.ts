import { once } from '../once.ts';
import { LARGE } from '../request-limits.ts';

/** Objects of a bucket. */
export interface Objects {
  get(key: string): Promise<Uint8Array | undefined>;
  /** Replaces the object. */
  put(key: string, body: Uint8Array): Promise<void>;
}

const s3 = once(async () => {
  const sdk = await import('./objects-sdk.ts');
  const client = new sdk.S3Client({
    // The request's signature includes the body's SHA-256, which S3 compares.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // A part of an export is several megabytes.
    ...LARGE,
  });
  return { sdk, client };
});

/** `owner`: the AWS account of the bucket. S3 refuses requests if the bucket belongs to another account. */
export const bucketObjects = (bucket: string, owner: string): Objects => ({
  async get(key) {
    const { sdk, client } = await s3();
    try {
      const { Body } = await client.send(
        new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ExpectedBucketOwner: owner }),
      );
      return await Body?.transformToByteArray();
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw error;
    }
  },

  async put(key, body) {
    const { sdk, client } = await s3();
    await client.send(
      new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ExpectedBucketOwner: owner }),
    );
  },
});
