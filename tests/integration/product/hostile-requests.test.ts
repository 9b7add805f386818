import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { api, type RouteName } from '../../../schemas/api.ts';
import { ORIGIN_KEY_HEADER } from '../../../schemas/config/origin-key.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { authorization, formToRedeem, GitHubOidcWorld } from '../../fixtures/fakes/github-oidc-world.ts';
import type { User } from '../../fixtures/worlds/call-recording-product.ts';
import * as does from './call-requests.ts';
import * as is from './call-states.ts';

// A stranger's requests as API Gateway passes them on, which refuses what is no HTTP.

const { SELFSAME_HOSTILE_REQUESTS = 300, SELFSAME_HOSTILE_SEED = 20_260_101 } = process.env;
const settings = {
  numRuns: Number(SELFSAME_HOSTILE_REQUESTS),
  seed: Number(SELFSAME_HOSTILE_SEED),
  // A request depends on those before it.
  endOnFailure: true,
};

let gitHub: GitHubOidcWorld;
beforeAll(async () => {
  await does.startProduct();
  gitHub = await GitHubOidcWorld.start();
});
afterAll(() => Promise.all([does.product.stop(), gitHub.gitHub.stop()]));
// Mutes the log.
beforeEach(() => gitHub.reset());

type Asked = Parameters<typeof does.product.ask>;

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'];
const words = String.raw`. .. ../../etc/passwd ..%2f..%2f \ / // a[b][c] [ [] {{7*7}} #{x} '"><script> % %0 %zz
%E0%A4%A %00 %c0%af %0d%0aset-cookie:a=b null undefined NaN -1 1e999 9007199254740993`;
const texts = ['', ' ', '\u00ff\u00fe', 'x'.repeat(5_000), ...words.split(/\s/)];
const bodies = ['', '{', '[]', 'null', '"x"', '{"a":'.repeat(5_000), '['.repeat(5_000), 'x'.repeat(300_000)];
const headerNames = 'authorization content-type cookie if-none-match origin stripe-signature'.split(' ');
const headerTexts = ['Bearer', 'Basic Og==', 'application/json; charset=utf-7', 'text/plain', 't=1,v1=x'];

const text = fc.oneof(
  fc.constantFrom(...texts, ...inherited, ...headerTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
/** A few members, most with one of these names. */
const members = <T>(names: readonly string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc
    .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, text), value), {
      maxLength: 2,
    })
    .map((entries) => Object.fromEntries(entries));
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** A request with other fields, headers, cookies and parameters. Its values get further than random ones. */
function changed([name, user, { body, rawBody, query, headers } = {}]: Asked): fc.Arbitrary<Asked> {
  const isForm = rawBody !== undefined;
  const good = { ...(isForm ? Object.fromEntries(new URLSearchParams(rawBody)) : (body as object)) };
  const value = isForm ? text : fc.oneof(text, fc.jsonValue({ maxDepth: 3 }));
  const more = rarely(members([...inherited, ...headerNames], text));
  return fc
    .record({
      fields: members([...Object.keys(good), ...inherited], value),
      raw: rarely(fc.constantFrom(...bodies)),
      query: rarely(members([...Object.keys({ ...query }), ...inherited], text)),
      headers: more,
      cookies: more,
    })
    .map((made) => {
      const fields = { ...good, ...made.fields } as Record<string, string>;
      const written = isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields);
      const request = {
        rawBody: made.raw ?? written,
        query: { ...query, ...made.query },
        headers: { ...headers, ...made.headers },
        cookies: Object.entries({ ...made.cookies }).map((cookie) => cookie.join('=')),
      };
      return [name, user, request];
    });
}

/** The requests that these acts would send. */
async function requestsOf(user: User, ...acts: does.Act[]): Promise<Asked[]> {
  const ask = vi.spyOn(does.product, 'ask').mockResolvedValue({ status: 200, body: {} });
  for (const act of acts) await act(user);
  const { calls } = ask.mock;
  ask.mockRestore();
  return calls;
}

const withoutToken = Object.entries<Endpoint>(api).filter(([, { caller }]) => caller !== 'bearer');
const notFromCloudFront = { headers: { [ORIGIN_KEY_HEADER]: '' } };

test('no function that asks for no token answers at the API’s own address', async () => {
  const routes = withoutToken.map(([name]) => name as RouteName).filter((name) => name !== 'github-oidc');
  const asked = routes.map((name) => does.product.ask(name, undefined, notFromCloudFront));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(routes.map(() => 403));
  expect((await gitHub.ask('authorize', notFromCloudFront)).statusCode).toBe(403);
});

test('a name that every object inherits is a name like any other', async () => {
  const statusesOf = async (name: string) => {
    const rawBody = `{"email":"a@b.example","name":"A","${name}":{}}`;
    const query = Object.fromEntries([[name, '1']]);
    const asked = [
      await does.product.ask('waitlist', undefined, { rawBody }),
      await does.product.ask('plan', undefined, { query }),
      await does.product.ask('stripe-webhook', undefined, { query, rawBody: '{}' }),
    ];
    const gitHubs = [await gitHub.ask('authorize', { query }), await gitHub.ask(name, { query })];
    return [...asked.map(({ status }) => status), ...gitHubs.map(({ statusCode }) => statusCode)];
  };
  const expected = await statusesOf('ordinary');
  for (const name of inherited) expect([name, await statusesOf(name)]).toEqual([name, expected]);
});

test('hostile requests to the API are answered below 500, and change no answer to another user', async () => {
  const [met, resets, moves] = [
    await is.withContractLink(),
    await does.after(is.free, does.mailLink('reset'))(),
    await does.after(is.free, does.changeEmail)(),
  ];
  const good: Asked[] = [
    ...(await requestsOf(met, does.readPlan, does.buy, does.returnFromCheckout, does.cancel, does.renew)),
    ...(await requestsOf(met, does.openPortal, does.changePassword('a guess'), does.changeEmail)),
    ...(await requestsOf(met, does.listSessions, does.endSession('another'), does.ask('billing'))),
    ...(await requestsOf(met, does.ask('export'), does.endContract, does.mailLink('end-contract'))),
    ...(await requestsOf(met, does.joinWaitlist, does.hear('invoice.paid'))),
    ...(await requestsOf(resets, does.resetPassword, does.mailLink('reset'))),
    ...(await requestsOf(moves, does.proveAddress, does.approveChange, does.stopChange)),
    ...(await requestsOf(await is.withSignUpLink(is.unconfirmed)(), does.confirmSignUp())),
    ['change-provider', moves, { body: { provider: 'google', connected: false } }],
    ['relay-code', undefined, is.relayCode(moves)],
    ['token', undefined, await is.codeForm(moves)],
    ['token', undefined, is.refreshForm(await is.signInToApp(moves))],
    ['revoke', undefined, is.revokeForm(await is.signInToApp(moves))],
    ['csp-report', undefined, { rawBody: '{}' }],
  ];
  const asked = new Set<string>(good.map(([name]) => name));
  expect(Object.keys(api).filter((name) => !asked.has(name))).toEqual(['delete-account', 'github-oidc']);
  const other = await is.plus();
  const plan = () => does.product.ask('plan', other);
  const before = await plan();
  const statuses = new Map<number | undefined, number>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...good).chain(changed), async (hostile) => {
      const { status = 0 } = await does.product.ask(...hostile);
      expect(status).toBeLessThan(500);
      expect(await plan()).toEqual(before);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
    settings,
  );
  // Many of them got further than to the schemas.
  expect(statuses.get(400)).toBeLessThan(settings.numRuns * 0.8);
  expect(statuses.size).toBeGreaterThan(4);
});

test('hostile requests to the issuer for GitHub are answered below 500', async () => {
  const form = Object.fromEntries(new URLSearchParams(formToRedeem('code')));
  const hostile = fc.record({
    step: fc.constantFrom('authorize', 'callback', 'token', 'userinfo', 'jwks', ...inherited),
    method: fc.constantFrom('GET' as const, 'POST' as const, 'DELETE' as const),
    query: members(Object.keys(authorization), text),
    fields: members(Object.keys(form), text),
    headers: members(headerNames, text),
    raw: rarely(fc.constantFrom(...bodies)),
  });
  await fc.assert(
    fc.asyncProperty(hostile, async ({ step, query, fields, raw, ...request }) => {
      const body = raw ?? new URLSearchParams({ ...form, ...fields }).toString();
      const answer = await gitHub.ask(step, { ...request, query: { ...authorization, ...query }, body });
      expect(answer.statusCode).toBeLessThan(500);
    }),
    settings,
  );
});
