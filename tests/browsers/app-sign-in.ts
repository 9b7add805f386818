import { strict as assert } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { SiteConfig } from '../../schemas/config/site-config.ts';
import { startRelayApp } from '../fixtures/browser/relay-app.ts';
import type { World } from '../fixtures/worlds/world.ts';
import type { Visitor } from './visitor.ts';

/**
 * A user signs in to an app on the same machine. The browser brings the app a code, bound to a challenge of
 * the app, and the app exchanges it.
 */
export async function signInToApp(
  visitor: Visitor,
  world: World,
  user: { name: string; email: string },
): Promise<void> {
  const app = await startRelayApp();
  try {
    const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
    const request = {
      provider: 'google',
      redirect_uri: app.address,
      response_type: 'code',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    await visitor.open(`/oauth/start?${new URLSearchParams(request).toString()}`);
    await visitor.see('heading', 'Sign in with Google');
    await visitor.fill('Name', user.name);
    await visitor.fill('Email', user.email);
    await visitor.click('button', 'Sign in');
    await visitor.see('heading', 'The app');
    const { code = '', ...rest } = app.received[0]?.parameters ?? {};
    assert.deepEqual(rest, { state });
    const { relayClientId } = SiteConfig.parse(await world.get('/config.json'));
    const exchanged = await fetch(`${world.origin}/api/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: relayClientId,
        redirect_uri: app.address,
        code,
        code_verifier: verifier,
      }),
    });
    const { access_token: token } = (await exchanged.json()) as { access_token?: string };
    const plan = await fetch(`${world.origin}/api/plan`, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([exchanged.status, plan.status], [200, 200]);
  } finally {
    await app.close();
  }
}
