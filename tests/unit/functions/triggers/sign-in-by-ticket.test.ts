import type { DefineAuthChallengeTriggerEvent, VerifyAuthChallengeResponseTriggerEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { handleSignInByTicket } from '../../../../functions/triggers/sign-in-by-ticket.ts';
import { memoryMoments, memoryPlans, memoryProofs } from '../../../fixtures/fakes/memory-adapters.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
const now = new Date('2026-05-01T12:00:00Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

const email = 'ada@example.com';
const plans = memoryPlans();
const parts = { proofs: memoryProofs(), moments: memoryMoments(plans) };
const { proofs, moments } = parts;
const ticketFor = (account: string) => proofs.create({ purpose: 'sign-in', email, account }, now);

const define = async (...answered: [challengeName: string, challengeResult: boolean][]) => {
  const session = answered.map(([challengeName, challengeResult]) => ({ challengeName, challengeResult }));
  const event = { triggerSource: 'DefineAuthChallenge_Authentication', request: { session }, response: {} };
  const { response } = await handleSignInByTicket(parts)(event as DefineAuthChallengeTriggerEvent);
  return response;
};
const answer = async (challengeAnswer: string, sub = 'ada', at = now) => {
  const request = { challengeAnswer, userAttributes: sub === '' ? {} : { sub } };
  const event = { triggerSource: 'VerifyAuthChallengeResponse_Authentication', request, response: {} };
  const handle = handleSignInByTicket(parts, () => at);
  const { response } = await handle(event as VerifyAuthChallengeResponseTriggerEvent);
  return (response as { answerCorrect: boolean }).answerCorrect;
};

test('tokens are issued for one right answer, and for nothing else', async () => {
  const challengeName = 'CUSTOM_CHALLENGE';
  expect(await define()).toEqual({ challengeName, issueTokens: false, failAuthentication: false });
  expect(await define([challengeName, true])).toMatchObject({ issueTokens: true, failAuthentication: false });
  for (const others of [
    [[challengeName, false]],
    [['SRP_A', true]],
    [
      ['SRP_A', true],
      ['PASSWORD_VERIFIER', true],
    ],
  ] as [string, boolean][][]) {
    expect(await define(...others)).toMatchObject({ issueTokens: false, failAuthentication: true });
  }
});

test('a ticket signs in to its account once, for five minutes', async () => {
  const ticket = await ticketFor('ada');
  const answers = await Promise.all(Array.from({ length: 8 }, () => answer(ticket, 'ada', after(299))));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await answer(ticket)).toBe(false);
  expect(await answer(await ticketFor('ada'), 'ada', after(300))).toBe(false);
  expect(log.text()).toContain('ticket-refused');
  expect(log.text()).not.toContain(ticket);
});

test('a foreign or mangled ticket and a mailed link sign nobody in, and stay good', async () => {
  const ticket = await ticketFor('ada');
  const link = await proofs.create({ purpose: 'reset', email }, now);
  for (const other of ['mallory', '']) expect(await answer(ticket, other)).toBe(false);
  for (const text of [link, `${ticket}x`, 'x', '#\0é']) expect(await answer(text)).toBe(false);
  expect(await proofs.read(link, 'reset', now)).toBeDefined();
  expect(await answer(ticket)).toBe(true);
});

test('a ticket is void once its account has taken back what is older', async () => {
  plans.put({ id: 'ada' });
  const [first, second] = [await ticketFor('ada'), await ticketFor('ada')];
  await moments.takeBack('ada', now);
  expect(await answer(first)).toBe(true);
  await moments.takeBack('ada', after(0.001));
  expect(await answer(second)).toBe(false);
});
