import { afterAll, beforeAll, expect, test } from 'vitest';
import { callback } from '../../in-process/hosted-cognito.ts';
import { type HostedCognito, startHostedCognito } from '../fixtures/cognito.ts';

let world: HostedCognito;
beforeAll(async () => {
  world = await startHostedCognito();
});
afterAll(() => world.stop());

test('a provider’s answer may be a form, which only the browser that began the sign-in may send, and once', async () => {
  const { get } = world.browser();
  const toProvider = await get(world.authorizeAddress());
  const back = await get(toProvider.headers.get('location') ?? '');
  const { origin, pathname, searchParams } = new URL(back.headers.get('location') ?? '');
  const send = async (browser: ReturnType<typeof world.browser>, fields = searchParams) => {
    const answer = await browser.get(`${origin}${pathname}`, { method: 'POST', body: fields });
    return new URL(answer.headers.get('location') ?? '', origin);
  };
  const own = world.browser();
  world.changeBrowser();
  // It has a cookie of its own.
  await world.browser().get(world.authorizeAddress());
  const invalid = `${origin}/error?error=Invalid+state`;
  expect((await send(world.browser())).href).toBe(invalid);
  const otherState = new URLSearchParams({ code: searchParams.get('code') ?? '', state: 'x' });
  expect((await send(own, otherState)).href).toBe(invalid);
  const arrived = await send(own);
  expect(arrived.href).toContain(callback);
  expect(Object.fromEntries(arrived.searchParams)).toEqual({
    code: expect.stringMatching(/./),
    state: 'of-the-site',
  });
  expect((await send(own)).href).toBe(invalid);
});
