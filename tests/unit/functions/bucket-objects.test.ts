import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bucketObjects } from '../../../functions/adapters/s3/objects.ts';

const KEY = 'users/us-east-1_AbC/export.json';
const ADDRESS = `https://examplebucket.s3.us-east-1.amazonaws.com/${KEY}`;
let requests: { address: string; headers: Record<string, string> }[];
let answers: Response[];

beforeEach(() => {
  requests = [];
  answers = [];
  // The keys and the time of AWS's examples of signatures.
  vi.useFakeTimers({ now: Date.parse('2013-05-24T00:00:00Z'), toFake: ['Date'] });
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
  vi.stubEnv('AWS_SESSION_TOKEN', undefined);
  vi.stubEnv('AWS_ENDPOINT_URL_S3', undefined);
  vi.stubGlobal('fetch', async (url: URL, { headers }: { headers: Record<string, string> }) => {
    requests.push({ address: String(url), headers });
    return answers.shift() ?? new Response('stored');
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

// The signatures were made by another implementation, which is right about AWS's examples:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
test('a request names the account that the bucket has to belong to, and is signed with it', async () => {
  expect(String(await bucketObjects('examplebucket', '111122223333').get(KEY))).toBe('stored');
  expect(requests).toMatchObject([
    {
      address: ADDRESS,
      headers: {
        'x-amz-expected-bucket-owner': '111122223333',
        authorization: expect.stringContaining(
          'Signature=55c271b1eb3830c8668960cb6410a00889895606e2e3f6137cf0769cef7e467a',
        ) as string,
      },
    },
  ]);
});

test('body and session token are signed too', async () => {
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  await bucketObjects('examplebucket', '111122223333').put(KEY, Buffer.from('{"a":"é"}'));
  expect(requests[0]?.headers).toMatchObject({
    'x-amz-security-token': 'session',
    authorization: expect.stringContaining(
      'Signature=5507a920eebcd25139b26799fba66b9fc84eb22c927afc8714b6bdb7c010c56a',
    ) as string,
  });
});

test('a refusal has S3’s reason, and a missing object is none', async () => {
  const objects = bucketObjects('examplebucket', '111122223333');
  answers = [new Response('', { status: 404 }), new Response('<Code>AccessDenied</Code>', { status: 403 })];
  expect(await objects.get(KEY)).toBeUndefined();
  await expect(objects.get(KEY)).rejects.toThrow('403 AccessDenied');
});
