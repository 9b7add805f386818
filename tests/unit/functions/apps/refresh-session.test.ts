import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ADA,
  APP,
  AppWorld,
  challengeOf,
  CLIENT,
  forged,
  invalidGrant,
  newVerifier,
  refreshTokenIn,
  refusedAs,
} from '../../../fixtures/fakes/app-world.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
let world: AppWorld;
beforeEach(() => {
  world = new AppWorld();
});

const after = (seconds: number) => vi.setSystemTime(now.getTime() + seconds * 1000);
const DAY = 86_400;

describe('a refresh', () => {
  test('answers with new tokens and never with Cognito’s refresh token', async () => {
    const first = await world.signIn({ scope: 'openid email profile' });
    const answer = await world.refresh(first);
    const tokens = { expires_in: 900, scope: 'openid email profile', id_token: 'an.id.token' };
    expect(answer.body).toMatchObject(tokens);
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
    const error_description = 'This session is over. Please sign in again.';
    expect((await world.refresh(token)).body).toEqual({ error: 'invalid_grant', error_description });
    expect(world.appSessions.items.size).toBe(0);
  });

  test('with a used token that Cognito refuses is refused, and the session goes on', async () => {
    const token = await world.signIn();
    await world.refresh(token);
    vi.spyOn(world.cognito, 'refresh').mockResolvedValueOnce(undefined);
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBe(1);
    expect((await world.refresh(token)).status).toBe(200);
  });

  test('is refused for a session that its user has taken back since, and not for a later one', async () => {
    const token = await world.signIn();
    const [{ user_id: id } = { user_id: '' }] = world.appSessions.items.values();
    const takenBack = (ms: number) =>
      world.planTable.put({ id, valid_since: new Date(now.getTime() + ms).toISOString() });
    takenBack(0);
    expect((await world.refresh(token)).status).toBe(200);
    takenBack(1);
    expect(await world.refresh(token)).toEqual(invalidGrant);
  });

  test('leaves the token valid if Cognito doesn’t answer', async () => {
    const token = await world.signIn();
    after(900);
    vi.spyOn(world.cognito, 'refresh').mockRejectedValueOnce(new Error('/oauth2/token: TimeoutError'));
    expect(await world.refresh(token)).toEqual(refusedAs('server_error', 500));
    expect((await world.refresh(token)).status).toBe(200);
  });

  test('goes on after the table was restored from a backup, in which its count is lower', async () => {
    const token = await world.signIn();
    const backup = new Map(world.appSessions.items);
    const second = refreshTokenIn(await world.refresh(refreshTokenIn(await world.refresh(token))));
    for (const [key, item] of backup) world.appSessions.items.set(key, item);
    const third = await world.refresh(second);
    expect((await world.refresh(refreshTokenIn(third))).status).toBe(200);
    expect(await world.refresh(second)).toEqual(invalidGrant);
  });

  const withOtherLetters = (token: string) => {
    const at = token.length - 30;
    return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
  };

  test.each<[string, (token: string) => string | Promise<string>]>([
    ['Cognito’s own token', () => String([...world.cognito.sessions.keys()][0])],
    ['an access token', async () => String((await world.token(await world.code())).body['access_token'])],
    ['a text', () => 'not a token'],
    ['a token of this session that another stage has encrypted', () => forged(world)],
    ['a token whose letters were changed', withOtherLetters],
  ])('is refused with %s', async (_, tokenOf) => {
    const token = await world.signIn();
    expect(await world.refresh(await tokenOf(token))).toEqual(invalidGrant);
    expect(world.appSessions.items.size).toBeGreaterThan(0);
  });
});

describe('a used refresh token that comes again', () => {
  test('gets new tokens, however late, as the answer may have been lost', async () => {
    const token = await world.signIn();
    await world.refresh(token);
    after(36_000);
    const again = await world.refresh(token);
    expect(again.status).toBe(200);
    after(37_000);
    expect((await world.refresh(refreshTokenIn(again))).status).toBe(200);
    expect(log.of('app-token-reused')).toEqual([]);
  });

  test.each([
    ['a thief after the owner', ['owner', 'thief']],
    ['the owner after a thief', ['thief', 'owner']],
  ])('from two users of it ends the session at the second next refresh: %s', async (_, [first, second]) => {
    const stolen = await world.signIn();
    const held: Record<string, string> = { owner: stolen, thief: stolen };
    const refresh = async (who = '') => {
      const answer = await world.refresh(held[who] ?? '');
      if (answer.status === 200) held[who] = refreshTokenIn(answer);
      return answer.status;
    };
    expect([await refresh(first), await refresh(second)]).toEqual([200, 200]);
    after(900);
    expect([await refresh(first), await refresh(second), await refresh(first)]).toEqual([200, 400, 400]);
    expect(world.appSessions.items.size).toBe(0);
    expect(world.cognito.revoked).toHaveLength(1);
    expect(world.cognito.sessions.size).toBe(0);
    expect(log.of('app-token-reused')).toEqual([
      { event: 'app-token-reused', requestId: 'request', user: ADA, address: APP },
    ]);
  });

  test('after its successor was used ends the session', async () => {
    const token = await world.signIn();
    await world.refresh(refreshTokenIn(await world.refresh(token)));
    after(1);
    expect(await world.refresh(token)).toEqual(invalidGrant);
    expect(log.of('app-token-reused')).toHaveLength(1);
  });

  test('ends the session here even if Cognito doesn’t confirm it', async () => {
    const token = await world.signIn();
    const next = refreshTokenIn(await world.refresh(refreshTokenIn(await world.refresh(token))));
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

test('no code, verifier or token is logged', async () => {
  const verifier = newVerifier();
  const cognitos = world.cognito.code(challengeOf(verifier));
  const form = await world.code({ verifier });
  const { code = '' } = form;
  await world.token({ ...form, code: '0000000000' });
  const token = refreshTokenIn(await world.token(form));
  await world.token(form);
  const next = refreshTokenIn(await world.refresh(token));
  await world.refresh(next);
  await world.refresh(token);
  await world.revoke({ client_id: CLIENT, token });
  vi.spyOn(world.cognito, 'refresh').mockRejectedValueOnce(new Error('/oauth2/token: 502'));
  const [other] = [await world.signIn()];
  await world.refresh(other);
  for (const event of ['app-token-reused', 'request-failed']) expect(log.of(event)).not.toEqual([]);
  for (const secret of [verifier, cognitos, code, token, next, other])
    expect(log.text()).not.toContain(secret);
});
