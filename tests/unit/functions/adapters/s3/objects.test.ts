import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bucketObjects } from '../../../../../functions/adapters/s3/objects.ts';

const KEY = 'users/us-east-1_AbC/export.json';
let server: Server;
let received: { request: IncomingMessage; body: Buffer }[];
let answer: { status: number; body: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ request, body });
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

const objects = bucketObjects('examplebucket', '111122223333');
const respond = (status: number, body = ''): void => {
  answer = { status, body };
  received = [];
};
const refusal = (code: string) => `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;

test('a read and a write name the account that the bucket has to belong to, and are signed with it', async () => {
  respond(200, 'stored');
  expect(String(Buffer.from((await objects.get(KEY)) ?? []))).toBe('stored');
  await objects.put(KEY, Buffer.from('{"a":"é"}'));
  expect(
    received.map(({ request, body }) => [request.method, request.url?.split('?')[0], String(body)]),
  ).toEqual([
    ['GET', `/examplebucket/${KEY}`, ''],
    ['PUT', `/examplebucket/${KEY}`, '{"a":"é"}'],
  ]);
  for (const { request } of received) {
    expect(request.headers['x-amz-expected-bucket-owner']).toBe('111122223333');
    expect(request.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-expected-bucket-owner/);
  }
});

test('a missing object is none', async () => {
  respond(404, refusal('NoSuchKey'));
  expect(await objects.get(KEY)).toBeUndefined();
});

test.each([
  [403, 'AccessDenied'],
  [404, 'NoSuchBucket'],
])('a refusal with %i has S3’s reason, %s, and is not repeated', async (status, code) => {
  respond(status, refusal(code));
  await expect(objects.get(KEY)).rejects.toThrow(code);
  await expect(objects.put(KEY, Buffer.from('{}'))).rejects.toThrow(code);
  expect(received).toHaveLength(2);
});

test('a failure of S3 is tried three times', async () => {
  respond(503, refusal('SlowDown'));
  await expect(objects.put(KEY, Buffer.from('{}'))).rejects.toThrow('SlowDown');
  expect(received).toHaveLength(3);
});
