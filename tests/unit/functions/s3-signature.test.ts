import { expect, test } from 'vitest';
import { signedHeaders } from '../../../functions/adapters/s3/signature.ts';

// The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
};
const at = { region: 'us-east-1', now: new Date('2013-05-24T00:00:00Z') };

test('a request is signed as in AWS’s example of GetObject', () => {
  const headers = signedHeaders(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: { range: 'bytes=0-9' },
    },
    credentials,
    at,
  );
  expect(headers).toEqual({
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  });
});

test('body and session token are signed too', () => {
  const signatureOf = (body: string, sessionToken?: string) => {
    const url = new URL('https://examplebucket.s3.us-east-1.amazonaws.com/users/export.json');
    const request = { method: 'PUT', url, body: Buffer.from(body) } as const;
    return signedHeaders(request, { ...credentials, sessionToken }, at)['authorization'];
  };
  expect(signatureOf('a')).not.toBe(signatureOf('b'));
  expect(signatureOf('a', 'token')).toContain('x-amz-date;x-amz-security-token,');
  expect(signatureOf('a', 'token')).not.toBe(signatureOf('a', 'other'));
});
