import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { plansTable } from '../../../../functions/adapters/dynamodb/user-plans/plans-table.ts';
import { Refusal } from '../../../../functions/runtime/refusal.ts';
import type { NoteSession } from '../../../../functions/runtime/read-session.ts';
import { route } from '../../../../functions/runtime/route.ts';
import { EVERYBODY } from '../../../../schemas/rows/plan.ts';
import type { Endpoint } from '../../../../schemas/routes/endpoint.ts';
import { refusedAs } from '../../../../schemas/shapes/refused-as.ts';
import { call, callForHeaders, refused } from '../../../fixtures/fakes/http-event.ts';
import { MemoryPool } from '../../../fixtures/fakes/memory-pool.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { memoryPlans } from '../../../fixtures/fakes/memory-adapters.ts';

const endpoint = {
  method: 'POST',
  path: '/echo',
  caller: 'anyone',
  needs: [],
  body: z.strictObject({ word: z.string() }),
  response: z.object({ word: z.string() }),
  refusals: ['already-subscribed', 'not-yours'],
} as const satisfies Endpoint;

const echo = route(endpoint, {}, async ({ word }) => ({ word, secret: 'not declared' }));
const log = watchLog();

test('a field that the response schema does not name is removed from the response', async () => {
  expect(await call(echo, { body: { word: 'hello' } })).toEqual({ status: 200, body: { word: 'hello' } });
});

test.each([
  ['malformed JSON', { rawBody: '{"word": ' }, 400, 'bad-request'],
  ['a body that is no object', { rawBody: '"private"' }, 400, 'bad-request'],
  ['null', { rawBody: 'null' }, 400, 'bad-request'],
  ['an unknown field', { body: { word: 'private', admin: true } }, 400, 'bad-request'],
  ['a __proto__ field', { rawBody: '{"word":"private","__proto__":{"admin":true}}' }, 400, 'bad-request'],
  ['the wrong type', { body: { word: 7 } }, 400, 'bad-request'],
  ['no body', {}, 400, 'bad-request'],
  ['nine thousand bytes', { body: { word: 'private'.repeat(1_300) } }, 413, 'too-large'],
])('%s is refused with a code and logged without the body', async (_, request, status, code) => {
  expect(await call(echo, request)).toMatchObject({ status, body: { code } });
  expect(log.lines).toHaveLength(1);
  expect(log.text()).toContain(code);
  expect(log.text()).not.toContain('private');
});

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
  'a body of the type %s is read',
  async (type) => {
    const answer = await call(echo, { body: { word: 'hello' }, headers: { 'content-type': type } });
    expect(answer.status).toBe(200);
  },
);

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=application/json',
  'application/json-seq',
  'text/plain, application/json',
  'text/plain;application/json',
  '',
])('a body of the type "%s" is refused, although it is JSON', async (type) => {
  const answer = await call(echo, { body: { word: 'private' }, headers: { 'content-type': type } });
  expect(answer).toMatchObject(refused(415, 'wrong-content-type'));
  expect(log.text()).not.toContain('private');
});

test('the type of a body does not matter to a route that reads none, or reads it raw', async () => {
  const { body: _, ...withoutBody } = endpoint;
  const bySignature = { ...withoutBody, caller: 'stripe' } as const;
  const raw = route(bySignature, {}, async (_input, { rawBody }) => ({ word: rawBody.toString() }));
  const answer = await call(raw, { rawBody: 'signed', headers: { 'content-type': 'text/plain' } });
  expect(answer).toEqual({ status: 200, body: { word: 'signed' } });
});

test('a value with its own refusal is refused as that, wherever else the request is faulty', async () => {
  const body = z.strictObject({ age: z.number(), word: z.string().check(refusedAs(() => 'not-yours')) });
  const named = route({ ...endpoint, body }, {}, async ({ word }) => ({ word }));
  const both = await call(named, { body: { age: 'private', word: 'hello' } });
  expect(both).toMatchObject(refused(403, 'not-yours'));
  expect((await call(named, { body: { age: 'private' } })).body['code']).toBe('bad-request');
});

test('a bug is answered with 500 without details, and the log has its message without addresses', async () => {
  const bug = new Error('table UserPlans has no ada+1@mail.example.');
  const failingRoute = route(endpoint, {}, () => Promise.reject(bug));
  const { status, body } = await call(failingRoute, { body: { word: '' } });
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain('UserPlans');
  expect(log.text()).toContain('table UserPlans has no');
  expect(log.text()).not.toMatch(/ada\+1|mail\.example/);
});

test.each([
  ['StripeConnectionError', 'stripe-unavailable'],
  ['StripeRateLimitError', 'stripe-unavailable'],
  ['StripeInvalidRequestError', 'stripe-refused'],
] as const)('a %s of Stripe’s client is answered as %s', async (type, code) => {
  const failing = route(endpoint, {}, async () => {
    throw Object.assign(new Error('Stripe says no.'), { type });
  });
  expect(await call(failing, { body: { word: 'hello' } })).toMatchObject(refused(503, code));
  expect(log.of('stripe-refused')).toHaveLength(Number(code === 'stripe-refused'));
});

test('a body of exactly the largest size is accepted', async () => {
  const word = 'w'.repeat(8 * 1024 - JSON.stringify({ word: '' }).length);
  expect((await call(echo, { body: { word } })).status).toBe(200);
  expect((await call(echo, { body: { word: `${word}w` } })).status).toBe(413);
});

const account = {
  ...endpoint,
  caller: 'bearer',
  body: z.strictObject({}),
  response: z.object({ token: z.string(), id: z.string(), signedInAt: z.string() }),
} as const satisfies Endpoint;
const pool = new MemoryPool();
const { sessionUser } = pool;
const planTable = memoryPlans();
const session = { sessionUser: () => sessionUser, planTable: () => planTable };
beforeEach(() => {
  pool.put({ username: 'ada' });
  planTable.rows.clear();
});
const whoami = route(account, session, async (_, { user }) => ({
  token: user.accessToken,
  id: user.id,
  signedInAt: user.signedInAt.toISOString(),
}));

test.each(['Bearer ada', 'bearer ada', 'Bearer   ada'])(
  'a handler gets the token of the header %o without its scheme, and whose it is since when',
  async (authorization) => {
    const answer = await call(whoami, { user: 'ada', authTime: 1_700_000_000, headers: { authorization } });
    expect(answer.body).toEqual({ token: 'ada', id: 'ada', signedInAt: '2023-11-14T22:13:20.000Z' });
  },
);

test('a request without a user is refused by a route for signed-in users', async () => {
  expect(await call(whoami, {})).toMatchObject(refused(401, 'not-signed-in'));
});

const shown = { ...account, response: z.object({ plan: z.string() }) } as const satisfies Endpoint;
const show = route(shown, session, async (_, { row }) => ({ plan: row?.plan ?? 'none' }));

test('a handler gets the row of the user, and Cognito is asked only where there is none', async () => {
  const asked = vi.spyOn(sessionUser, 'account');
  expect((await call(show, { user: 'ada' })).body).toEqual({ plan: 'none' });
  expect(asked).toHaveBeenCalledTimes(1);
  planTable.put({ id: 'ada', plan: 'plus' });
  expect((await call(show, { user: 'ada' })).body).toEqual({ plan: 'plus' });
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a handler is not called once the row, or the row of everybody, has ended the session, or the account is deleted', async () => {
  const handle = vi.fn<() => Promise<{ word: string }>>().mockResolvedValue({ word: 'done' });
  const bearer = { ...endpoint, caller: 'bearer' } as const satisfies Endpoint;
  const handler = () =>
    route(bearer, { ...session, planTable: () => plansTable(planTable.table.name) }, handle);
  const ada = { user: 'ada', session: 'first', authTime: 1_700_000_000, body: { word: '' } };
  const moment = { valid_since: '2023-11-14T22:13:21.000Z' };
  for (const rows of [
    [{ id: 'ada', ended_sessions: 'zeroth first' }],
    [{ id: 'ada', ...moment }],
    [{ id: 'ada' }, { id: EVERYBODY, ...moment }],
  ]) {
    for (const row of rows) planTable.put(row);
    expect(await call(handler(), ada)).toMatchObject(refused(401, 'not-signed-in'));
  }
  planTable.rows.clear();
  pool.accounts.clear();
  expect(await call(handler(), ada)).toMatchObject(refused(401, 'not-signed-in'));
  expect(handle).not.toHaveBeenCalled();
  pool.put({ username: 'ada' });
  // Within the second of the moment: the user has signed in again.
  planTable.put({ id: 'ada', valid_since: '2023-11-14T22:13:20.999Z' });
  expect((await call(handler(), ada)).status).toBe(200);
});

test('a session is noted once the row has confirmed it, before the handler is called', async () => {
  const done: string[] = [];
  const noteSession: NoteSession<string> = async ({ cookies }, confirmed) => {
    const { address } = await confirmed;
    cookies.set.push('noted=yes');
    done.push(`noted ${address}`);
    return 'its answer';
  };
  const noting = { ...endpoint, caller: 'bearer', notesSession: true } as const satisfies Endpoint;
  const handler = route(noting, { ...session, noteSession: () => noteSession }, async (_, { noted }) => {
    done.push(`handled with ${noted}`);
    throw new Refusal('not-yours');
  });
  const ada = { user: 'ada', session: 'first', body: { word: '' } };
  planTable.put({ id: 'ada', address: 'ada@example.com', ended_sessions: 'first' });
  expect(await call(handler, ada)).toMatchObject(refused(401, 'not-signed-in'));
  expect(done).toEqual([]);
  const answer = await callForHeaders(handler, { ...ada, session: 'second' });
  expect(answer).toMatchObject({ ...refused(403, 'not-yours'), cookies: ['noted=yes'] });
  expect(done).toEqual(['noted ada@example.com', 'handled with its answer']);
});

test('a refusal that the route does not declare is a bug, and is answered as one', async () => {
  const undeclared = route(endpoint, {}, () => Promise.reject(new Refusal('wrong-password')));
  expect(await call(undeclared, { body: { word: '' } })).toMatchObject(refused(500, 'internal'));
});

test.each([
  [['stripe'], 503, 'stripe-unavailable'],
  [[], 500, 'internal'],
] as const)(
  'a route that needs %j and gets no answer answers before API Gateway does',
  async (needs, status, code) => {
    vi.useFakeTimers();
    const silent = route({ ...endpoint, needs }, {}, () => new Promise<never>(() => {})).with({});
    const answer = call(silent, { body: { word: 'hello' } });
    await vi.advanceTimersByTimeAsync(28_000);
    vi.useRealTimers();
    expect(await answer).toMatchObject({ status, body: { code } });
  },
);
