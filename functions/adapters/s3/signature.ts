import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

export interface S3Request {
  method: 'GET' | 'PUT';
  /** Without a query. Its path has only letters, digits and `/-_.~`, which S3 signs as they are. */
  url: URL;
  /** In lower case. All of them are signed. */
  headers?: Record<string, string>;
  body?: Uint8Array;
}

/**
 * The headers that sign a request to S3, with the given ones (AWS Signature Version 4, in one chunk):
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * The packages have no client of S3, and one request of each kind needs no more than this.
 */
export function signedHeaders(
  { method, url, headers = {}, body = new Uint8Array() }: S3Request,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  { region, now }: { region: string; now: Date },
): Record<string, string> {
  const at = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const day = at.slice(0, 8);
  const bodyHash = sha256(body);
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': at,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(signed).toSorted();
  const list = names.join(';');
  const canonical = [
    method,
    url.pathname,
    '',
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    list,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  );
  const { host: _, ...sent } = signed;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${list},Signature=${hmac(key, text).toString('hex')}`,
  };
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
