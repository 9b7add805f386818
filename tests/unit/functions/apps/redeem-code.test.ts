import { beforeEach, describe, expect, test, vi } from 'vitest';
import { APP_CODE_ALPHABET } from '../../../../schemas/app-code.ts';
import {
  ADA,
  APP,
  AppWorld,
  challengeOf,
  invalidGrant,
  LOOPBACK,
  newVerifier,
  refusedAs,
} from '../../../fixtures/fakes/app-world.ts';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
let world: AppWorld;
beforeEach(() => {
  world = new AppWorld();
});

const after = (seconds: number) => vi.setSystemTime(now.getTime() + seconds * 1000);
const DAY = 86_400;

describe('a code for an app', () => {
  const code_challenge = challengeOf(newVerifier());

  test('is ten letters and digits that can be typed, and never the same', async () => {
    const codes = await Promise.all(Array.from({ length: 50 }, () => world.code()));
    for (const { code } of codes) expect(code).toMatch(new RegExp(`^[${APP_CODE_ALPHABET}]{10}$`));
    expect(new Set(codes.map(({ code }) => code)).size).toBe(50);
  });

  test('is stored as a hash alone, beside a code of Cognito that needs the app’s verifier', async () => {
    const { code, code_verifier = '' } = await world.code();
    const [item] = world.appCodes.items.values();
    expect(item).toEqual({
      code_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      cognito_code: expect.any(String) as string,
      redirect_uri: APP,
      code_challenge: challengeOf(code_verifier),
      expires_at: now.getTime() / 1000 + 240,
    });
    expect(JSON.stringify(item)).not.toContain(code);
    expect(JSON.stringify(item)).not.toContain(code_verifier);
  });

  test.each([
    'https://evil.example/',
    'https://app.example/done/',
    'http://127.0.0.1/other',
    'javascript:alert(1)',
  ])('is not made for an address that isn’t registered: %s', async (redirect_uri) => {
    const answer = await world.relayCode({ code: 'cognitos', redirect_uri, code_challenge });
    expect(answer).toMatchObject(refused(400, 'address-not-registered'));
    expect(world.appCodes.items.size).toBe(0);
  });

  test('is made for any port of a loopback address', async () => {
    const redirect_uri = 'http://127.0.0.1:51004/callback';
    expect((await world.relayCode({ code: 'cognitos', redirect_uri, code_challenge })).status).toBe(201);
  });

  test.each([
    ['a code of another form', { code: 'a code' }],
    ['a plain challenge', { code_challenge: `${code_challenge}x` }],
  ])('is not made for a request with %s', async (_, changes) => {
    const body = { code: 'cognitos', redirect_uri: APP, code_challenge, ...changes };
    expect(await world.relayCode(body)).toMatchObject(refused(400, 'bad-request'));
  });
});

describe('redeeming a code', () => {
  test('answers with the tokens of a new session', async () => {
    expect(await world.token(await world.code())).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^access-/) as string,
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.any(String) as string,
        scope: 'openid',
      },
    });
    expect([...world.appSessions.items.values()]).toEqual([
      {
        user_id: ADA,
        id: expect.any(String) as string,
        redirect_uri: APP,
        created_at: now.toISOString(),
        used_at: now.toISOString(),
        refreshes: 0,
        expires_at: now.getTime() / 1000 + 60 * DAY,
      },
    ]);
  });

  test('answers with an ID token only if the app asked for name and address', async () => {
    const asked = await world.token(await world.code({ scope: 'openid email profile' }));
    expect(asked.body).toMatchObject({ id_token: 'an.id.token', scope: 'openid email profile' });
    // With this scope alone, Cognito's ID token has name and address too.
    expect((await world.token(await world.code({ scope: 'openid' }))).body).not.toHaveProperty('id_token');
  });

  test('accepts the code as somebody types it', async () => {
    const form = await world.code();
    const { code = '' } = form;
    const typed = ` ${code.slice(0, 5)}-${code.slice(5)}`.replaceAll('0', 'o').replaceAll('1', 'l');
    expect((await world.token({ ...form, code: typed.toLowerCase() })).status).toBe(200);
  });

  test.each([
    [239, 200],
    [240, 400],
  ])('%d seconds later answers %d', async (seconds, status) => {
    const form = await world.code();
    after(seconds);
    expect((await world.token(form)).status).toBe(status);
  });

  test('needs the verifier of the challenge that the sign-in began with, and a wrong verifier consumes the code', async () => {
    const form = await world.code();
    expect(await world.token({ ...form, code_verifier: newVerifier() })).toEqual(invalidGrant);
    const error_description = 'This code is wrong, used or expired. Please sign in again.';
    expect((await world.token(form)).body).toEqual({ error: 'invalid_grant', error_description });
    expect(world.appSessions.items.size).toBe(0);
  });

  // The code comes in the address of a page that anybody can open: another sign-in's can be planted there.
  test.each([
    ['without a challenge, although Cognito may redeem its code with any verifier', undefined, false],
    ['with its own challenge, although it was stored with the app’s', challengeOf(newVerifier()), true],
  ])('of a sign-in %s, doesn’t work', async (_, challenge, isStoredWithMine) => {
    const { code: _mine, ...mine } = await world.code();
    const verifier = isStoredWithMine ? mine['code_verifier'] : newVerifier();
    const planted = await world.relayCode({
      code: world.cognito.code(challenge),
      redirect_uri: APP,
      code_challenge: challengeOf(verifier ?? ''),
    });
    expect(await world.token({ ...mine, code: String(planted.body['code']) })).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(0);
  });

  test('that went to another address doesn’t work, and stays valid for its own', async () => {
    const form = await world.code({ address: LOOPBACK });
    expect(await world.token({ ...form, redirect_uri: APP })).toEqual(invalidGrant);
    expect((await world.token(form)).status).toBe(200);
  });

  test.each(['0000000000', 'short', '', 'a code of Cognito', '0000000000000000000000000000000000'])(
    'that doesn’t exist is refused: %j',
    async (code) => {
      expect((await world.token({ ...(await world.code()), code })).status).toBe(400);
    },
  );

  test('fails if Cognito sends no refresh token for it', async () => {
    const redeem = world.cognito.redeem.bind(world.cognito);
    vi.spyOn(world.cognito, 'redeem').mockImplementationOnce(async (...given) => {
      const issued = await redeem(...given);
      return issued && { ...issued, refresh_token: undefined };
    });
    expect(await world.token(await world.code())).toEqual(refusedAs('server_error', 500));
    expect(log.text()).toContain('Cognito sent no refresh token for a code.');
  });

  test('leaves the code valid if the key can’t be read', async () => {
    const form = await world.code();
    vi.spyOn(world, 'dependencies').mockReturnValueOnce({
      ...world.dependencies(),
      cipher: () => Promise.reject(new Error('Secrets Manager is out of reach.')),
    });
    expect(await world.token(form)).toEqual(refusedAs('server_error', 500));
    expect((await world.token(form)).status).toBe(200);
  });
});

describe('a form', () => {
  const body = (text: string) => ({ body: Buffer.from(text).toString('base64') });

  test.each(['client_id=relay-client&client_id=relay-client', 'code=0000000000', 'grant_type=refresh_token'])(
    'with a repeated parameter is refused: %s',
    async (repeated) => {
      const form = new URLSearchParams(await world.code()).toString();
      expect(await world.token({}, body(`${form}&${repeated}`))).toEqual(refusedAs('invalid_request'));
      expect(world.appCodes.items.size).toBe(1);
    },
  );

  test.each([
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded-too',
    '',
  ])('in another format is refused: %s', async (type) => {
    const answer = await world.token(await world.code(), { headers: { 'content-type': type } });
    expect(answer).toEqual(refusedAs('invalid_request'));
  });

  test('may name its character set, in any letters', async () => {
    const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=ISO-8859-1' };
    expect((await world.token(await world.code(), { headers })).status).toBe(200);
  });

  test('with unknown and empty parameters is read without them', async () => {
    const form = { ...(await world.code()), client_secret: '', audience: 'x', scope: 'admin' };
    expect((await world.token(form)).body).toMatchObject({ scope: 'openid' });
  });

  test('that is huge is refused', async () => {
    const form = { ...(await world.code()), padding: 'x'.repeat(9_000) };
    expect(await world.token(form)).toEqual(refusedAs('invalid_request', 413));
  });

  test('in the query is refused, whatever the body', async () => {
    const form = await world.code();
    const rawQueryString = new URLSearchParams(form).toString();
    expect(await world.token(form, { rawQueryString })).toEqual(refusedAs('invalid_request'));
    expect(await world.token({}, { rawQueryString })).toEqual(refusedAs('invalid_request'));
  });

  const wrong = {
    code_verifier: ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}\n`, `${'x'.repeat(43)}é`],
    grant_type: ['client_credentials', 'password', '__proto__', 'toString'],
  };
  test.each([
    ...['code', 'redirect_uri', 'code_verifier', 'client_id', 'grant_type'].map((name) => [name, undefined]),
    ...wrong.code_verifier.map((verifier) => ['code_verifier', verifier]),
    ...wrong.grant_type.map((grant) => ['grant_type', grant, 'unsupported_grant_type']),
    ['client_id', 'site-client', 'invalid_client'],
  ] as [string, string | undefined, string?][])(
    'with the %s %j is refused, and uses no code up',
    async (name, value, error = 'invalid_request') => {
      const { [name]: _, ...form } = await world.code();
      if (value !== undefined) form[name] = value;
      expect(await world.token(form)).toEqual(refusedAs(error));
      expect(world.appCodes.items.size).toBe(1);
    },
  );

  test('of another client ends no session', async () => {
    expect(await world.revoke({ client_id: 'site-client', token: 'x' })).toEqual(refusedAs('invalid_client'));
  });
});
