import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as changeProvider } from '../../../../functions/api/change-provider.ts';
import { handlePreSignUp } from '../../../../functions/triggers/pre-sign-up.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { addressWorld } from '../../../fixtures/fakes/address-world.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { event } from '../triggers/pre-sign-up-acts.ts';

const email = 'ada@example.com';
const google = { provider: 'google', id: '1' } as const;
const identities = [google, { provider: 'github', id: '2' } as const];
const now = stopClock('2026-01-20T12:00:00Z');
watchLog();

let world: ReturnType<typeof addressWorld>;
beforeEach(() => {
  world = addressWorld(email);
  world.pool.put({ username: 'ada', email, identities });
});

const change = (connected: boolean, { minutesAgo = 0, provider = 'google' } = {}) =>
  call(changeProvider.with(world), {
    user: 'ada',
    authTime: now.getTime() / 1000 - minutesAgo * 60,
    body: { provider, connected },
  });
const providers = () => world.pool.accounts.get('ada')?.identities.map(({ provider }) => provider);
const signInWithGoogle = () =>
  handlePreSignUp({ ...world, users: () => world.pool, sendsThroughSes: true })(
    event('ExternalProvider', 'google_1', { email, email_verified: 'true' }),
  );

describe('a provider that its user disconnects', () => {
  test('no longer opens the account, all sessions end, and the owner is mailed', async () => {
    expect(await change(false)).toEqual({ status: 200, body: { sessionsEnded: true } });
    expect(providers()).toEqual(['github']);
    expect(world.pool.of('ada').sessionsEnded).toHaveLength(1);
    expect(world.mail.sent).toMatchObject([{ to: email, email: { name: 'provider-disconnected' } }]);
    await expect(signInWithGoogle()).rejects.toThrow(triggerRefusals.providerTakenOff);
    expect(providers()).toEqual(['github']);
  });

  test('stays off also if its sign-in has just begun to link it again', async () => {
    world.pool.put({ username: 'ada', email, identities: [] });
    const link = world.pool.link.bind(world.pool);
    vi.spyOn(world.pool, 'link').mockImplementationOnce(async (...given) => {
      const linked = await link(...given);
      await change(false);
      // The link is Cognito's last word on this sign-in.
      await link(...given);
      return linked;
    });
    await expect(signInWithGoogle()).rejects.toThrow(triggerRefusals.addressTaken);
    expect(providers()).toEqual([]);
  });

  test('is linked by its next sign-in once the user has allowed it again', async () => {
    await change(false);
    expect((await change(true, { minutesAgo: 11 })).status).toBe(403);
    await expect(signInWithGoogle()).rejects.toThrow(triggerRefusals.providerTakenOff);
    expect(await change(true)).toEqual({ status: 200, body: { sessionsEnded: false } });
    await signInWithGoogle();
    expect(providers()).toEqual(['github', 'google']);
  });

  test('says where the sessions could not be ended', async () => {
    vi.spyOn(world.moments, 'takeBack').mockRejectedValue(new Error('The table is away.'));
    expect(await change(false)).toEqual({ status: 200, body: { sessionsEnded: false } });
    expect(world.mail.sent).toHaveLength(1);
  });

  test('that was not connected is mailed to nobody', async () => {
    expect(await change(false, { provider: 'apple' })).toMatchObject({ status: 200 });
    expect(providers()).toEqual(['google', 'github']);
    expect(world.mail.sent).toEqual([]);
  });

  test('is disconnected by a second try if the first stopped halfway', async () => {
    vi.spyOn(world.pool, 'unlink').mockRejectedValueOnce(new Error('down'));
    expect((await change(false)).status).toBe(500);
    expect((await change(false)).status).toBe(200);
    expect(providers()).toEqual(['github']);
    expect(world.mail.sent).toHaveLength(1);
  });
});

describe('nothing changes', () => {
  const unchanged = () => {
    expect(providers()).toEqual(['google', 'github']);
    expect(world.pool.of('ada').sessionsEnded).toEqual([]);
    expect(world.mail.sent).toEqual([]);
  };

  test('for an account that was deleted meanwhile', async () => {
    vi.spyOn(world.pool, 'findBySub').mockResolvedValue(undefined);
    expect(await change(false)).toMatchObject(refused(401, 'not-signed-in'));
    unchanged();
  });

  test('if no other way in would stay: the provider made the account, or the address is not proved', async () => {
    world.pool.put({ username: 'ada', email, emailVerified: false, identities });
    expect(await change(false)).toMatchObject(refused(409, 'provider-stays'));
    unchanged();
    world.pool.put({ username: 'ada', email, identities });
    const made = { ...world.pool.of('ada'), username: 'google_1', status: 'EXTERNAL_PROVIDER' };
    vi.spyOn(world.pool, 'findBySub').mockResolvedValue(made);
    expect(await change(false)).toMatchObject(refused(409, 'provider-stays'));
    unchanged();
  });
});
