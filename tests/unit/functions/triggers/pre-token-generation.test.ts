import type { PreTokenGenerationTriggerEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { isUseRecorded, inUse } from '../../../../functions/domain/idle.ts';
import { handlePreTokenGeneration } from '../../../../functions/triggers/pre-token-generation.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
const now = new Date('2026-05-01T12:00:00Z');
const event = {
  triggerSource: 'TokenGeneration_RefreshTokens',
  // A provider's account has another user name than `sub`.
  userName: 'google_1',
  request: { userAttributes: { sub: 'ada' }, groupConfiguration: {} },
  response: { claimsOverrideDetails: null },
} as unknown as PreTokenGenerationTriggerEvent;

const nobody = async () => false;

test('a token is issued as it is, and recorded as use of the account', async () => {
  const recorded: unknown[] = [];
  const use = { record: async (...parameters: unknown[]) => void recorded.push(parameters) };
  expect(
    await handlePreTokenGeneration({ use, hasProvider: nobody }, () => now)(structuredClone(event)),
  ).toEqual(event);
  expect(recorded).toEqual([['ada', now]]);
});

test('a table that fails keeps nobody from signing in, and is counted', async () => {
  const use = { record: () => Promise.reject(new Error('throttled')) };
  const counted = await metricsOf(async () =>
    expect(
      await handlePreTokenGeneration({ use, hasProvider: nobody }, () => now)(structuredClone(event)),
    ).toEqual(event),
  );
  expect(counted).toMatchObject([{ UnrecordedUses: 1 }]);
  expect(log.lines).toEqual([expect.objectContaining({ event: 'use-not-recorded', user: 'ada' })]);
});

test('the hosted domain gets no tokens for an account that no provider opens', async () => {
  const use = { record: () => Promise.resolve() };
  const hosted = (userAttributes: Record<string, string>, hasProvider = nobody) =>
    handlePreTokenGeneration({ use, hasProvider })({
      ...event,
      triggerSource: 'TokenGeneration_HostedAuth',
      request: { ...event.request, userAttributes },
    });
  await expect(hosted({ sub: 'ada' })).rejects.toThrow(triggerRefusals.providerTakenOff);
  await expect(hosted({ sub: 'ada', identities: '[]' })).rejects.toThrow(triggerRefusals.providerTakenOff);
  expect(log.lines).toContainEqual({ event: 'tokens-refused', user: 'ada' });
  await expect(hosted({ sub: 'ada', identities: '[{}]' })).resolves.toBeDefined();
  await expect(hosted({ sub: 'ada' }, async () => true)).resolves.toBeDefined();
});

test('a use is recorded once a day, and always after a warning', () => {
  const begun = inUse('ada', now);
  const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect(isUseRecorded(begun, after(23))).toBe(true);
  expect(isUseRecorded(begun, after(24))).toBe(false);
  expect(isUseRecorded({ idle_due_at: after(30 * 24).toISOString() }, now)).toBe(false);
});
