import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { product } from '../../../schemas/product/product.ts';
import { answerOf, newUser, signInBy } from '../../fixtures/worlds/hosted-sign-in.ts';
import { worldOfFile } from '../../fixtures/worlds/stack-once.ts';

const PORT = 4810;
const world = worldOfFile(PORT);
const relayed = () => ({ name: 'Grace Hopper', email: `${crypto.randomUUID()}@privaterelay.appleid.com` });

interface SupportedAccount {
  email: string;
  name?: string;
  providers: string[];
}
const accountOf = async (email: string): Promise<SupportedAccount | undefined> =>
  (await world.get<SupportedAccount[]>('/__local/accounts')).find((account) => account.email === email);

test('a user of Apple has a relayed address and keeps the name, which comes at the first sign-in alone', async () => {
  const user = relayed();
  const first = decodeJwt((await signInBy(world, { provider: 'apple', user })).id_token);
  expect(first).toMatchObject({ email: user.email, name: 'Grace Hopper' });
  expect(first['cognito:username']).toMatch(/^signinwithapple_\d{6}\.[\da-f]{32}\.\d{4}$/);
  // Apple would send the entered name again, if it sent one.
  const again = decodeJwt(
    (await signInBy(world, { provider: 'apple', user: { ...user, name: 'G.' } })).id_token,
  );
  expect(again).toMatchObject({ sub: first.sub, name: 'Grace Hopper' });
  expect(await accountOf(user.email)).toMatchObject({ providers: ['SignInWithApple'] });
});

test('an account at Apple opens the account with its verified address, and its owner gets a mail', async () => {
  const user = newUser();
  const { sub } = decodeJwt((await signInBy(world, { provider: 'google', user })).id_token);
  expect(decodeJwt((await signInBy(world, { provider: 'apple', user })).id_token).sub).toBe(sub);
  expect((await world.mailTo(user.email)).subject).toBe(`Apple now opens your ${product.name} account`);
});

test('an address that Apple has not verified opens no account', async () => {
  const { answer } = await answerOf(world, { provider: 'apple', user: { ...newUser(), verified: false } });
  expect(answer.get('error_description')).toContain('Apple has no verified email address');
});

test('Cognito takes forms from the page of a provider and of no other site', async () => {
  const send = (origin: string) =>
    fetch(`http://localhost:${PORT + 1}/oauth2/idpresponse`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin },
      body: new URLSearchParams({ code: 'c', state: 's' }),
    });
  expect((await send('https://evil.example')).status).toBe(403);
  expect((await send('null')).status).toBe(403);
  // Without the cookie of a sign-in, the answer is an error.
  const answer = await send(`http://localhost:${PORT + 3}`);
  expect(answer.headers.get('location')).toBe('/error?error=Invalid+state');
});
