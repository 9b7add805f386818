import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { HttpHandler } from '../../../functions/runtime/route.ts';
import { handleCustomMessage } from '../../../functions/triggers/custom-message.ts';
import {
  type CognitoStandIn,
  clientId,
  password,
  poolId,
  startCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';
import { addressDependencies } from '../../fixtures/fakes/address-world.ts';
import { call } from '../../fixtures/fakes/http-event.ts';
import type { MemoryMail } from '../../fixtures/fakes/memory-mail.ts';

const owner = 'owner@example.com';
const thief = 'thief@evil.example';

let cognito: CognitoStandIn;
let mail: MemoryMail;
let ask: Record<'change-email' | 'confirm-email' | 'undo-email', HttpHandler>;

beforeAll(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});
beforeEach(async () => {
  cognito = await startCognito({
    pool: { UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] } },
    client: { WriteAttributes: ['email', 'name'] },
    triggers: {
      CustomMessage: (event) =>
        handleCustomMessage({
          siteUrl: 'https://selfsame.example',
          sendsThroughSes: true,
          isUndeliverable: async () => false,
          isWithinLimit: async () => true,
          removeUnconfirmed: async () => false,
        })(event as never),
    },
  });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', cognito.origin);
  // The adapters keep their client, which reads its endpoint once.
  vi.resetModules();
  const [sessions, pools, changing, confirming, undoing] = await Promise.all([
    import('../../../functions/adapters/cognito/session-user.ts'),
    import('../../../functions/adapters/cognito/account-pool.ts'),
    import('../../../functions/api/change-email.ts'),
    import('../../../functions/api/confirm-email.ts'),
    import('../../../functions/api/undo-email.ts'),
  ]);
  const dependencies = {
    ...addressDependencies(),
    sessionUser: sessions.cognitoSessionUser(),
    pool: pools.cognitoAccountPool(poolId),
  };
  ({ mail } = dependencies);
  ask = {
    'change-email': changing.changeEmail(dependencies),
    'confirm-email': confirming.confirmEmail(dependencies),
    'undo-email': undoing.undoEmail(dependencies),
  };
  await cognito.confirmedUser(owner);
});
afterEach(() => cognito.stop());
afterAll(() => vi.unstubAllEnvs());

const tokenOf = async (email: string, secret: string): Promise<string> =>
  String((await cognito.signInRaw(email, secret)).body.AuthenticationResult?.AccessToken);
const claimsOf = (accessToken: string) =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
    auth_time: number;
  };
const post = (name: keyof typeof ask, accessToken: string | undefined, body: object) => {
  const claims = accessToken === undefined ? undefined : claimsOf(accessToken);
  return call(ask[name], {
    ...(claims && { user: claims.sub, authTime: claims.auth_time }),
    headers: { authorization: `Bearer ${accessToken}` },
    body,
  });
};
const codeFor = (email: string) =>
  /\b\d{6}\b/.exec(mail.sent.findLast(({ to }) => to === email)?.email.text ?? '')?.[0];
const undoTokenFor = (email: string) =>
  /undo-email#(\S+)/.exec(mail.sent.findLast(({ to }) => to === email)?.email.text ?? '')?.[1];

test('a thief who knows the password is put out with the link in the owner’s mailbox', async () => {
  const fresh = await tokenOf(owner, password);
  expect(await post('change-email', fresh, { newEmail: thief })).toMatchObject({ status: 200 });
  expect(await post('confirm-email', fresh, { code: codeFor(thief) })).toEqual({
    status: 200,
    body: { email: thief, sessionsEnded: true },
  });
  // The owner is out, and has the mail.
  expect((await cognito.signInRaw(owner)).error).toBe('NotAuthorizedException');
  const thiefs = await tokenOf(thief, password);
  // For later: a code for a new password, and a provider with the new address.
  await cognito.call('ForgotPassword', { ClientId: clientId, Username: thief });
  const kept = cognito.lastMail(thief).links.find((link) => link.includes('/reset-password'));

  expect(await post('undo-email', undefined, { token: undoTokenFor(owner) })).toEqual({
    status: 200,
    body: { outcome: 'restored', deletionStopped: false, passwordMailed: true },
  });

  // Sessions, password, and the code that was kept.
  expect((await cognito.call('GetUser', { AccessToken: thiefs })).message).toBe(
    'Access Token has been revoked',
  );
  expect((await cognito.signInRaw(thief)).error).toBe('NotAuthorizedException');
  expect((await cognito.signInRaw(owner)).error).toBe('NotAuthorizedException');
  const redeem = (link: string | undefined, Password: string) =>
    cognito.call('ConfirmForgotPassword', {
      ClientId: clientId,
      Username: claimsOf(fresh).sub,
      ConfirmationCode: new URL(String(link)).searchParams.get('access_token'),
      Password,
    });
  expect((await redeem(kept, 'the thief’s again')).error).toBe('CodeMismatchException');

  // The owner has a link for a new password, and is back.
  const link = cognito.lastMail(owner).links.find((address) => address.includes('/reset-password'));
  expect((await redeem(link, 'battery staple')).status).toBe(200);
  expect(await tokenOf(owner, 'battery staple')).not.toBe('undefined');
});

test('a code that the thief has kept opens nothing while the account is locked, nor afterwards', async () => {
  const fresh = await tokenOf(owner, password);
  await post('change-email', fresh, { newEmail: thief });
  await post('confirm-email', fresh, { code: codeFor(thief) });
  await cognito.call('ForgotPassword', { ClientId: clientId, Username: thief });
  const kept = cognito.lastMail(thief).links.find((link) => link.includes('/reset-password'));
  const redeem = () =>
    cognito.call('ConfirmForgotPassword', {
      ClientId: clientId,
      Username: claimsOf(fresh).sub,
      ConfirmationCode: new URL(String(kept)).searchParams.get('access_token'),
      Password: 'the thief’s again',
    });
  // The owner has opened another account.
  await cognito.confirmedUser(owner);
  const renewed = await tokenOf(owner, password);

  const undo = () => post('undo-email', undefined, { token: undoTokenFor(owner) });
  expect(await undo()).toMatchObject({ status: 200, body: { outcome: 'locked' } });
  expect((await redeem()).error).toBe('CodeMismatchException');
  expect((await cognito.signInRaw(thief)).error).toBe('NotAuthorizedException');

  await cognito.call('DeleteUser', { AccessToken: renewed });
  expect(await undo()).toMatchObject({ status: 200, body: { outcome: 'restored' } });
  expect((await redeem()).error).toBe('CodeMismatchException');
});
