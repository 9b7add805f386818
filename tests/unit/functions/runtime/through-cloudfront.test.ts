import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { throughCloudFront } from '../../../../functions/runtime/through-cloudfront.ts';
import { ORIGIN_KEY_HEADER, ORIGIN_KEYS } from '../../../../schemas/config/origin-key.ts';

afterEach(() => void vi.unstubAllEnvs());

/** The status of the answer, where the functions accept `keys` and `sent` is the header. */
async function answerTo(keys: string, sent: string | undefined): Promise<number | undefined> {
  vi.stubEnv(ORIGIN_KEYS, keys);
  const headers = sent === undefined ? {} : { [ORIGIN_KEY_HEADER]: sent };
  const event = { headers, requestContext: { requestId: 'r' } } as unknown as APIGatewayProxyEventV2;
  return (await throughCloudFront(async () => ({ statusCode: 200 }))(event)).statusCode;
}

test.each([
  ['the key', 'old', 'old', 200],
  ['the key before, while it is replaced', 'new,old', 'old', 200],
  ['the new key', 'new,old', 'new', 200],
  ['no key', 'old', undefined, 403],
  ['an empty key', 'old', '', 403],
  ['another key', 'old', 'new', 403],
  ['the list of keys', 'new,old', 'new,old', 403],
  ['no key, and the functions know none', '', undefined, 403],
  ['an empty key, and the functions know none', '', '', 403],
  ['no key, and the list ends with a comma', 'old,', undefined, 403],
  ['an empty key, and the list ends with a comma', 'old,', '', 403],
])('a request with %s is answered with its status', async (_, keys, sent, status) => {
  expect(await answerTo(keys, sent)).toBe(status);
});
