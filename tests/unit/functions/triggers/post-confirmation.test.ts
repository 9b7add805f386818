import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { beforeEach, expect, test, vi } from 'vitest';
import { handlePostConfirmation } from '../../../../functions/triggers/post-confirmation.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { MemoryPool } from '../../../fixtures/fakes/memory-pool.ts';
import { browserThatSignsUp } from '../../../fixtures/worlds/account.ts';
import { memoryAddresses, type MemoryPlans, memoryPlans } from '../../../fixtures/fakes/memory-adapters.ts';

const email = 'ada@example.com';
const ada = 'sub-ada';
const hers = browserThatSignsUp();
const signedUp = { email, email_verified: 'true', [hers.attribute.Name]: hers.attribute.Value };

let pool: MemoryPool;
let planTable: MemoryPlans;
let discarded: string[];
let discardSignUp: (poolId: string, username: string) => Promise<void>;
beforeEach(() => {
  pool = new MemoryPool();
  pool.put({ username: ada, email });
  planTable = memoryPlans();
  discarded = [];
  discardSignUp = async (_, username) => void discarded.push(username);
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

const confirm = ({
  userName = ada,
  clientMetadata,
  ...attributes
}: Record<string, unknown> & { userName?: string; clientMetadata?: Record<string, string> } = {}) =>
  handlePostConfirmation({ planTable, addresses: memoryAddresses(), users: () => pool, discardSignUp })({
    triggerSource: 'PostConfirmation_ConfirmSignUp',
    userPoolId: 'us-east-1_Pool',
    userName,
    request: {
      userAttributes: { ...signedUp, sub: userName, ...attributes },
      ...(clientMetadata && { clientMetadata }),
    },
    response: {},
  } as unknown as PostConfirmationTriggerEvent);

test('the password stays if the browser that signed up confirms', async () => {
  await confirm({ clientMetadata: hers.metadata });
  expect(discarded).toEqual([]);
  expect(planTable.rows.has(ada)).toBe(true);
});

test('without a secret, name and password are discarded and sessions end before the plan opens', async () => {
  await confirm();
  expect(discarded).toEqual([ada]);
  expect(pool.of(ada).sessionsEnded).toHaveLength(1);
  expect(planTable.rows.has(ada)).toBe(true);
});

test.each([
  ['another browser’s secret', { clientMetadata: browserThatSignsUp().metadata }],
  ['an empty secret', { clientMetadata: { browser: '' } }],
  ['a secret for an account without a hash', { clientMetadata: hers.metadata, 'custom:browser': undefined }],
])('with %s they are discarded, and the caller learns that it needs a new password', async (_, given) => {
  await expect(confirm(given)).rejects.toThrow(triggerRefusals.passwordDiscarded);
  expect(discarded).toEqual([ada]);
  expect(planTable.rows.has(ada)).toBe(true);
});

test.each([
  ['a provider’s account', { userName: 'google_1' }],
  ['an account that support confirms without a proof', { email_verified: 'false' }],
])('%s keeps what it has', async (_, given) => {
  pool.put({ username: 'google_1', email, status: 'EXTERNAL_PROVIDER' });
  await confirm(given);
  expect(discarded).toEqual([]);
});

test.each([
  ['the password can’t be discarded', () => (discardSignUp = () => Promise.reject(new Error('Throttled')))],
  ['sessions can’t be ended', () => (pool.endSessions = () => Promise.reject(new Error('Throttled')))],
])('the account is deleted if %s, since the password may be a stranger’s', async (_, fail) => {
  fail();
  await expect(confirm()).rejects.toThrow('Throttled');
  expect(pool.accounts.has(ada)).toBe(false);
  expect(planTable.rows.has(ada)).toBe(false);
});
