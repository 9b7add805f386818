import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { product } from '../../../../../schemas/product/product.ts';
import { refusals } from '../../../../../schemas/refusal.ts';
import { createClient } from '../../../../../web/src/api/client.ts';
import type { AccessToken } from '../../../../../web/src/session/access-token.ts';
import { freePlan } from '../../../../fixtures/product/free-plan.ts';

const plan = { ...freePlan, plan: 'plus', stripeSubscriptionId: 'sub_1' };
const token = (value: string): AccessToken => ({ kind: 'token', token: value });
const BLOCKED =
  'Your request was stopped before it reached us. Please try again in a few minutes, without a VPN or proxy if you use one.';
const DOWN = 'Our server is not answering right now. Please try again in a moment.';
const json = (status: number, body: unknown) => () => Response.json(body, { status });

/** A browser with a session, and a server that gives `answers` in turn. */
function browser({
  answers = [],
  held = [token('first')],
  renewed = token('second'),
}: {
  answers?: (() => Response)[];
  /** The tokens that it has at one call after the other, the last of them ever after. */
  held?: AccessToken[];
  renewed?: AccessToken;
}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const events: string[] = [];
  const call = createClient({
    fetch: async (url, init) => {
      requests.push({ url, init });
      const answer = answers.shift();
      if (!answer) throw new TypeError('Failed to fetch');
      return answer();
    },
    bearer: {
      accessToken: async () => (held.length > 1 ? held.shift() : held[0]) ?? { kind: 'none' },
      renewedToken: async (refused) => {
        events.push(`renewed instead of ${refused}`);
        return renewed;
      },
      signOut: async () => void events.push('signed out'),
    },
  });
  const bearers = () => requests.map(({ init }) => new Headers(init.headers).get('authorization'));
  return { call, requests, events, bearers };
}

describe('a call of the API', () => {
  test('sends the bearer token, and parses the answer', async () => {
    const { call, requests, bearers } = browser({ answers: [json(200, { ...plan, secret: 'x' })] });
    expect(await call('plan')).toEqual({ ok: true, value: plan });
    expect(requests[0]).toMatchObject({ url: '/api/plan', init: { method: 'GET' } });
    expect(requests[0]?.init?.body).toBeUndefined();
    expect(bearers()).toEqual(['Bearer first']);
  });

  test('sends query and body as the route defines them', async () => {
    const { call, requests } = browser({});
    await call('session-status', { query: { session_id: 'cs_1' } });
    await call('cancel-subscription', { body: { subscription_id: null } });
    expect(requests[0]?.url).toBe('/api/session-status?session_id=cs_1');
    expect(requests[1]).toMatchObject({
      url: '/api/cancel-subscription',
      init: { method: 'POST', body: '{"subscription_id":null}' },
    });
    expect(new Headers(requests[1]?.init?.headers).get('content-type')).toBe('application/json');
  });

  test('to a public route sends no token', async () => {
    const { call, bearers } = browser({ held: [] });
    await call('waitlist', { body: { email: 'ada@example.com', name: 'Ada' } });
    expect(bearers()).toEqual([null]);
  });

  test('without a session is not sent', async () => {
    const { call, requests } = browser({ held: [] });
    expect(await call('plan')).toEqual({ ok: false, code: 'not-signed-in', sentence: 'No user logged in' });
    expect(requests).toEqual([]);
  });

  test.each([
    ['a success of another shape', json(200, { plan: 'gold' })],
    ['a success that is no JSON', () => new Response('<!doctype html>', { status: 200 })],
    ['a refusal with an unknown code', json(400, { error: 'No.', code: 'toString' })],
    ['an error with a status of which nothing is known', json(418, { message: 'Teapot' })],
  ])('is unreadable if the answer is %s', async (_, answer) => {
    const { call } = browser({ answers: [answer] });
    expect(await call('plan')).toMatchObject({ ok: false, code: 'unreadable' });
  });
});

const TOO_LARGE =
  "That request is too large. Shorten what you typed, or clear this site's cookies in your browser's settings.";

/** The first words of an answer of API Gateway or CloudFront, and what the user reads. */
const gatewayAnswers: [status: number, body: string, code: string, sentence: string][] = [
  [400, '{"message":"Bad Request"}', 'bad-request', refusals['bad-request'].sentence],
  [401, '{"message":"Unauthorized"}', 'down', DOWN],
  [403, '{"message":"Forbidden"}', 'blocked', BLOCKED],
  [403, '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', 'blocked', BLOCKED],
  [
    404,
    '{"message":"Not Found"}',
    'missing',
    'What this page asked for is not there. The page may be out of date: please reload it.',
  ],
  [413, '{"message":"Request Entity Too Large"}', 'too-large', TOO_LARGE],
  [414, '{"message":"Request-URI Too Long"}', 'too-large', TOO_LARGE],
  [431, '', 'too-large', TOO_LARGE],
  [494, '<html>', 'too-large', TOO_LARGE],
  [429, '{"message":"Too Many Requests"}', 'throttled', 'Too many requests. Please try again in a moment.'],
  [429, '', 'throttled', 'Too many requests. Please try again in a moment.'],
  [500, '{"message":"Internal Server Error"}', 'internal', refusals.internal.sentence],
  [502, '<html>', 'down', DOWN],
  [503, '{"message":"Service Unavailable"}', 'down', DOWN],
  [504, '{"message":"Endpoint request timed out"}', 'down', DOWN],
];

describe('what the user reads', () => {
  test.each(gatewayAnswers)('of %i with %j has the code %s: %j', async (status, body, code, sentence) => {
    const answer = () => new Response(body, { status });
    const { call, events } = browser({ answers: [answer, answer] });
    expect(await call('plan')).toEqual({ ok: false, code, sentence });
    expect(events).not.toContain('signed out');
  });

  test.each(Object.entries(refusals))('of the refusal %s is its sentence', async (code, refusal) => {
    const { status, sentence } = refusal;
    const { call } = browser({ answers: [json(status, { error: sentence, code })] });
    const body = { email: 'ada@example.com', name: 'Ada' };
    expect(await call('waitlist', { body })).toEqual({ ok: false, code, sentence });
    expect(sentence).not.toMatch(/exception|null|undefined|json|fetch|http|\buser ?name|validation/i);
  });

  test('of no answer is that the server could not be reached', async () => {
    const { call } = browser({});
    expect(await call('plan')).toEqual({
      ok: false,
      code: 'unreachable',
      sentence: expect.stringContaining("We couldn't reach the server."),
    });
  });
});

describe('an answer that explains nothing', () => {
  const named = (id: string) =>
    ` If this keeps happening, write to ${product.supportEmail} and mention the request ${id}.`;

  test.each([
    ['apigw-requestid', 'JKJaXmPLvHcESHA='],
    ['x-amzn-requestid', 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef'],
    ['x-amz-cf-id', '_fuo2-K4x=='],
  ])('names the request of the header %s', async (header, id) => {
    for (const answer of [
      () => new Response('', { status: 503, headers: { [header]: id } }),
      () => Response.json({ error: 'No.', code: 'new' }, { status: 409, headers: { [header]: id } }),
      () => Response.json({ plan: 'gold' }, { headers: { [header]: id } }),
    ]) {
      const failed = await browser({ answers: [answer] }).call('plan');
      expect(failed.ok ? '' : failed.sentence).toContain(named(id));
    }
  });

  test.each(['internal', 'stripe-unavailable'] as const)(
    'names the request if it is our own refusal %s',
    async (code) => {
      const { status, sentence } = refusals[code];
      const headers = { 'apigw-requestid': 'gateway' };
      const { call } = browser({
        answers: [() => Response.json({ error: sentence, code }, { status, headers })],
      });
      expect(await call('plan')).toEqual({ ok: false, code, sentence: sentence + named('gateway') });
    },
  );

  test('names API Gateway’s request rather than CloudFront’s', async () => {
    const headers = { 'x-amz-cf-id': 'cf', 'apigw-requestid': 'gateway' };
    const { call } = browser({ answers: [() => new Response('', { status: 500, headers })] });
    expect(await call('plan')).toMatchObject({ sentence: refusals.internal.sentence + named('gateway') });
  });

  test.each([
    ['can fix the cause', 409, { error: 'On Plus.', code: 'already-subscribed' }, 'On Plus.'],
    ['needs no help', 429, {}, 'Too many requests. Please try again in a moment.'],
  ])('names no request where the user %s', async (_, status, body, sentence) => {
    const headers = { 'apigw-requestid': 'gateway' };
    const { call } = browser({ answers: [() => Response.json(body, { status, headers })] });
    expect(await call('plan')).toMatchObject({ sentence });
  });
});

describe('a token that the server rejects', () => {
  const no = json(401, { message: 'Unauthorized' });
  const ended = json(401, { error: 'No user logged in', code: 'not-signed-in' });

  test('is renewed, and the call is repeated', async () => {
    const { call, events, bearers } = browser({ answers: [no, json(200, plan)] });
    expect(await call('plan')).toMatchObject({ ok: true });
    expect(bearers()).toEqual(['Bearer first', 'Bearer second']);
    expect(events).toEqual(['renewed instead of first']);
  });

  test('is renewed once: a refusal of the new one by our API ends the session', async () => {
    const { call, events, requests } = browser({ answers: [no, ended] });
    expect(await call('plan')).toMatchObject({ ok: false, code: 'not-signed-in' });
    expect(requests).toHaveLength(2);
    expect(events).toEqual(['renewed instead of first', 'signed out']);
  });

  test('keeps the session while Cognito cannot be reached', async () => {
    const { call, events } = browser({ answers: [no], renewed: { kind: 'unreachable' } });
    expect(await call('plan')).toMatchObject({ ok: false, code: 'unreachable' });
    expect(events).toEqual(['renewed instead of first']);
  });
});

describe('a server that is busy', () => {
  const refusal = (code: keyof typeof refusals, retryAfter?: string) => () =>
    Response.json(
      { error: refusals[code].sentence, code },
      {
        status: refusals[code].status,
        ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
      },
    );
  const busy = refusal('busy', String(refusals.busy.retryAfter));

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([Number(refusals.busy.retryAfter), 3])(
    'is asked again after the %i s that it names, with the same request',
    async (seconds) => {
      const { call, requests, bearers } = browser({
        answers: [refusal('busy', String(seconds)), json(200, { success: true, current_period_end: 1 })],
      });
      const answer = call('cancel-subscription', { body: { subscription_id: 'sub_1' } });
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).toMatchObject({ ok: true });
      expect(requests.map(({ url, init }) => [url, init.method, init.body])).toEqual(
        Array.from({ length: 2 }, () => ['/api/cancel-subscription', 'POST', '{"subscription_id":"sub_1"}']),
      );
      expect(bearers()).toEqual(['Bearer first', 'Bearer first']);
    },
  );

  test('is asked three times in all, even if the token is renewed in between, and then has its sentence shown', async () => {
    const no = json(401, { message: 'Unauthorized' });
    const { call, bearers } = browser({ answers: [busy, no, busy, busy, json(200, plan)] });
    const answer = call('plan');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await answer).toEqual({ ok: false, code: 'busy', sentence: refusals.busy.sentence });
    expect(bearers()).toEqual(['Bearer first', 'Bearer first', 'Bearer second', 'Bearer second']);
  });

  test('is asked again as the user who made the call, even if another user has signed in meanwhile', async () => {
    const { call, bearers } = browser({
      answers: [busy, json(200, plan)],
      held: [token('first'), token('another user')],
    });
    const answer = call('plan');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toMatchObject({ ok: true });
    expect(bearers()).toEqual(['Bearer first', 'Bearer first']);
  });

  test.each([
    ['the wait is longer than three seconds', 'busy', refusal('busy', '4')],
    ['no wait is named', 'busy', refusal('busy')],
    ['the wait is empty', 'busy', refusal('busy', '')],
    ['a date is named', 'busy', refusal('busy', 'Wed, 21 Oct 2026 07:28:00 GMT')],
    ['the wait is negative', 'busy', refusal('busy', '-1')],
    [
      'Stripe does not answer, though the wait is short',
      'stripe-unavailable',
      refusal('stripe-unavailable', '1'),
    ],
  ] as const)('is asked once if %s', async (_, code, answer) => {
    const { call, requests } = browser({ answers: [answer, json(200, plan)] });
    expect(await call('plan')).toEqual({ ok: false, code, sentence: refusals[code].sentence });
    expect(requests).toHaveLength(1);
  });
});
