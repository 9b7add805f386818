import { beforeEach, describe, expect, test, vi } from 'vitest';
import { appCipher } from '../../../../functions/apps/refresh-token.ts';
import { APP_CODE_ALPHABET } from '../../../../schemas/app-code.ts';
import {
  ADA,
  type Answer,
  APP,
  AppWorld,
  challengeOf,
  CLIENT,
  LOOPBACK,
  newVerifier,
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

const refusedAs = (error: string, status = 400) => ({
  status,
  body: { error, error_description: expect.any(String) as string },
});
const invalidGrant = refusedAs('invalid_grant');
/** A refresh token of the world's session, encrypted with another key. */
const forged = (w: AppWorld): Promise<string> => {
  const [{ user_id, id, refreshes } = { user_id: '', id: '', refreshes: 0 }] = w.appSessions.items.values();
  const [cognito = ''] = w.cognito.sessions.keys();
  return appCipher('another secret').encrypt('refresh-token', { user_id, id, refreshes, cognito }, now);
};
const refreshTokenIn = ({ body }: Answer) => String(body['refresh_token']);

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
      expires_at: now.getTime() / 1000 + 60,
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
    const answer = await world.relayCode({ code: 'cognitos', redirect_uri, code_challenge });
    expect(answer.status).toBe(201);
  });

  test.each([
    ['no code of Cognito', { code: undefined }],
    ['a code of another form', { code: 'a code' }],
    ['no challenge', { code_challenge: undefined }],
    ['a plain challenge', { code_challenge: `${code_challenge}x` }],
    ['a field too many', { state: 'x' }],
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
    const typed = ` ${code.slice(0, 5)}-${code.slice(5)}`
      .toLowerCase()
      .replaceAll('0', 'o')
      .replaceAll('1', 'l');
    expect((await world.token({ ...form, code: typed })).status).toBe(200);
  });

  test('works once', async () => {
    const form = await world.code();
    await world.token(form);
    expect(await world.token(form)).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(1);
  });

  test('works once for two requests at the same moment', async () => {
    const form = await world.code();
    const answers = await Promise.all([world.token(form), world.token(form)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  });

  test.each([
    [59, 200],
    [60, 400],
  ])('%d seconds later answers %d', async (seconds, status) => {
    const form = await world.code();
    after(seconds);
    expect((await world.token(form)).status).toBe(status);
  });

  test('needs the verifier of the challenge that the sign-in began with, and a wrong one uses the code up', async () => {
    const form = await world.code();
    expect(await world.token({ ...form, code_verifier: newVerifier() })).toEqual(invalidGrant);
    expect(await world.token(form)).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(0);
  });

  test('of another sign-in doesn’t work, so that an app can’t be made to take another account', async () => {
    const [mine, theirs] = [await world.code(), await world.code()];
    expect(await world.token({ ...mine, code: String(theirs['code']) })).toEqual(invalidGrant);
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

describe('a refresh', () => {
  test('answers with new tokens and never with Cognito’s refresh token', async () => {
    const first = await world.signIn({ scope: 'openid email profile' });
    const answer = await world.refresh(first);
    expect(answer.body).toMatchObject({
      expires_in: 900,
      scope: 'openid email profile',
      id_token: 'an.id.token',
    });
    expect(refreshTokenIn(answer)).not.toBe(first);
    const [cognitos = ''] = world.cognito.sessions.keys();
    expect(JSON.stringify([first, answer])).not.toContain(cognitos);
  });

  test('notes the last use in the session', async () => {
    const token = await world.signIn();
    after(900);
    await world.refresh(token);
    expect([...world.appSessions.items.values()]).toMatchObject([
      { refreshes: 1, created_at: now.toISOString(), used_at: '2026-01-20T12:15:00.000Z' },
    ]);
  });

  test('can follow a refresh for sixty days from the sign-in, and not longer', async () => {
    let token = await world.signIn();
    for (const day of [15, 30, 45, 59.9]) {
      after(day * DAY);
      token = refreshTokenIn(await world.refresh(token));
    }
    after(60 * DAY);
    expect(await world.refresh(token)).toEqual(invalidGrant);
  });

  test('passes on the refresh token of a user pool that rotates too', async () => {
    world.cognito.rotates = true;
    const first = await world.signIn();
    const second = refreshTokenIn(await world.refresh(first));
    const [old = ''] = world.cognito.sessions.keys();
    world.cognito.sessions.delete(old);
    expect((await world.refresh(second)).status).toBe(200);
  });

  test('with a session that Cognito has ended is refused, and the session is removed', async () => {
    const token = await world.signIn();
    world.cognito.sessions.clear();
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(0);
  });

  test('leaves the token valid if Cognito doesn’t answer', async () => {
    const token = await world.signIn();
    after(900);
    vi.spyOn(world.cognito, 'refresh').mockRejectedValueOnce(new Error('/oauth2/token: TimeoutError'));
    expect(await world.refresh(token)).toEqual(refusedAs('server_error', 500));
    // After the grace for a lost answer.
    after(1_000);
    expect((await world.refresh(token)).status).toBe(200);
  });

  test('goes on after the table was restored from a backup, in which its count is lower', async () => {
    const token = await world.signIn();
    const backup = new Map(world.appSessions.items);
    const second = refreshTokenIn(await world.refresh(refreshTokenIn(await world.refresh(token))));
    for (const [key, item] of backup) world.appSessions.items.set(key, item);
    after(900);
    const third = await world.refresh(second);
    expect(third.status).toBe(200);
    after(1_800);
    expect(await world.refresh(second)).toEqual(invalidGrant);
  });

  test.each([
    ['Cognito’s own token', (w: AppWorld) => String([...w.cognito.sessions.keys()][0])],
    ['an access token', async (w: AppWorld) => String((await w.token(await w.code())).body['access_token'])],
    ['a text', () => 'not a token'],
    ['a token of this session that another stage has encrypted', forged],
  ])('is refused with %s', async (_, tokenOf) => {
    await world.signIn();
    expect(await world.refresh(await tokenOf(world))).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBeGreaterThan(0);
  });

  test('is refused with a token whose letters were changed', async () => {
    const token = await world.signIn();
    const at = token.length - 30;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect(await world.refresh(changed)).toEqual(invalidGrant);
  });
});

describe('a used refresh token that comes again', () => {
  test('within thirty seconds gets new tokens, as the answer may have been lost', async () => {
    const token = await world.signIn();
    await world.refresh(token);
    after(29.9);
    const again = await world.refresh(token);
    expect(again.status).toBe(200);
    after(1_000);
    expect((await world.refresh(refreshTokenIn(again))).status).toBe(200);
    expect(log.of('app-token-reused')).toEqual([]);
  });

  test('doesn’t extend the thirty seconds', async () => {
    const token = await world.signIn();
    await world.refresh(token);
    after(20);
    await world.refresh(token);
    after(30);
    expect(await world.refresh(token)).toEqual(invalidGrant);
  });

  test.each([
    ['a thief after the owner', ['owner', 'thief', 'owner']],
    ['the owner after a thief', ['thief', 'owner', 'thief']],
  ])('later ends the session for both: %s', async (_, [first, second, third]) => {
    const stolen = await world.signIn();
    const held: Record<string, string> = { owner: stolen, thief: stolen };
    const refresh = async (who = '') => {
      const answer = await world.refresh(held[who] ?? '');
      if (answer.status === 200) held[who] = refreshTokenIn(answer);
      return answer.status;
    };
    expect(await refresh(first)).toBe(200);
    after(900);
    expect(await refresh(second)).toBe(400);
    expect(await refresh(third)).toBe(400);
    expect(world.appSessions.items.size).toBe(0);
    expect(world.cognito.revoked).toHaveLength(1);
    expect(world.cognito.sessions.size).toBe(0);
    expect(log.of('app-token-reused')).toEqual([
      { event: 'app-token-reused', requestId: 'request', user: ADA, address: APP },
    ]);
  });

  test('within the thirty seconds, but after its successor was used, ends the session', async () => {
    const token = await world.signIn();
    await world.refresh(refreshTokenIn(await world.refresh(token)));
    after(1);
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(log.of('app-token-reused')).toHaveLength(1);
  });

  test('from a thief and the owner at once ends the session at the second next refresh', async () => {
    const stolen = await world.signIn();
    const [thief, owner] = await Promise.all([world.refresh(stolen), world.refresh(stolen)]);
    expect([thief.status, owner.status]).toEqual([200, 200]);
    after(900);
    expect((await world.refresh(refreshTokenIn(owner))).status).toBe(200);
    after(1_800);
    expect(await world.refresh(refreshTokenIn(thief))).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(0);
  });

  test('ends the session here even if Cognito doesn’t confirm it', async () => {
    const token = await world.signIn();
    const next = refreshTokenIn(await world.refresh(token));
    vi.spyOn(world.cognito, 'revoke').mockRejectedValueOnce(new Error('/oauth2/revoke: TimeoutError'));
    after(900);
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(await world.refresh(next)).toEqual(invalidGrant);
    expect(log.of('app-session-not-revoked')).toMatchObject([{ user: ADA }]);
  });

  /** Does something else between the two reads of a refresh. */
  const meanwhile = (work: () => Promise<unknown>) => {
    const { cognito } = world;
    const refresh = cognito.refresh.bind(cognito);
    vi.spyOn(cognito, 'refresh').mockImplementationOnce(async (token) => {
      const answer = await refresh(token);
      await work();
      return answer;
    });
  };

  test('from two requests at once gets new tokens for both', async () => {
    const token = await world.signIn();
    meanwhile(() => world.refresh(token));
    const slower = await world.refresh(token);
    expect(slower.status).toBe(200);
    expect([...world.appSessions.items.values()]).toMatchObject([{ refreshes: 1 }]);
    after(900);
    expect((await world.refresh(refreshTokenIn(slower))).status).toBe(200);
  });

  test('while its successor is used gets no tokens', async () => {
    const token = await world.signIn();
    meanwhile(async () => world.refresh(refreshTokenIn(await world.refresh(token))));
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(0);
  });

  test('while the session is revoked gets no tokens', async () => {
    const token = await world.signIn();
    meanwhile(() => world.revoke({ client_id: CLIENT, token }));
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(0);
    expect(log.of('app-token-reused')).toEqual([]);
  });
});

describe('a revocation', () => {
  const revoke = (token: string) => world.revoke({ client_id: CLIENT, token });

  test('ends the session, here and at Cognito', async () => {
    const token = await world.signIn();
    expect(await revoke(token)).toEqual({ status: 200, body: {} });
    expect(world.appSessions.items.size).toBe(0);
    expect(world.cognito.sessions.size).toBe(0);
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(log.of('app-token-reused')).toEqual([]);
  });

  test('leaves the user’s other sessions', async () => {
    const [ended, other] = [await world.signIn(), await world.signIn()];
    await revoke(ended);
    expect((await world.refresh(other)).status).toBe(200);
  });

  test('by a stranger ends nothing, and twice is no error', async () => {
    const token = await world.signIn();
    const [cognitos = ''] = world.cognito.sessions.keys();
    for (const unknown of ['unknown', cognitos, await forged(world)]) {
      expect(await revoke(unknown)).toEqual({ status: 200, body: {} });
    }
    expect(world.appSessions.items.size).toBe(1);
    expect(world.cognito.revoked).toEqual([]);
    await revoke(token);
    expect((await revoke(token)).status).toBe(200);
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

  test.each(['code', 'redirect_uri', 'code_verifier', 'client_id', 'grant_type'])(
    'without %s is refused, and uses no code up',
    async (name) => {
      const { [name]: _, ...form } = await world.code();
      expect(await world.token(form)).toEqual(refusedAs('invalid_request'));
      expect(world.appCodes.items.size).toBe(1);
    },
  );

  test.each(['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}\n`, `${'x'.repeat(43)}é`])(
    'with a verifier of another form is refused: %j',
    async (code_verifier) => {
      const form = { ...(await world.code()), code_verifier };
      expect(await world.token(form)).toEqual(refusedAs('invalid_request'));
    },
  );

  test.each(['client_credentials', 'password', '__proto__', 'toString'])(
    'of another grant is refused: %s',
    async (grant_type) => {
      const form = { ...(await world.code()), grant_type };
      expect(await world.token(form)).toEqual(refusedAs('unsupported_grant_type'));
    },
  );

  test('of another client is refused', async () => {
    const form = { ...(await world.code()), client_id: 'site-client' };
    expect(await world.token(form)).toEqual(refusedAs('invalid_client'));
    expect(await world.revoke({ client_id: 'site-client', token: 'x' })).toEqual(refusedAs('invalid_client'));
  });
});

test('no code, verifier or token is logged', async () => {
  const verifier = newVerifier();
  const cognitos = world.cognito.code(challengeOf(verifier));
  const form = await world.code({ verifier });
  const { code = '' } = form;
  await world.token({ ...form, code: '0000000000' });
  const token = refreshTokenIn(await world.token(form));
  await world.token(form);
  const next = refreshTokenIn(await world.refresh(token));
  after(900);
  await world.refresh(token);
  await world.refresh(next);
  await world.revoke({ client_id: CLIENT, token });
  vi.spyOn(world.cognito, 'refresh').mockRejectedValueOnce(new Error('/oauth2/token: 502'));
  const [other] = [await world.signIn()];
  await world.refresh(other);
  expect(log.lines.map(({ event }) => event)).toContain('app-token-reused');
  expect(log.lines.map(({ event }) => event)).toContain('request-failed');
  for (const secret of [verifier, cognitos, code, token, next, other])
    expect(log.text()).not.toContain(secret);
});
