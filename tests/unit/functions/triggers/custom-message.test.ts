import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { handleCustomMessage } from '../../../../functions/triggers/custom-message.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
const refusals = ['undeliverable', 'spent'] as const;
const customMessage = handleCustomMessage({
  siteUrl: 'https://selfsame.example',
  sendsThroughSes: true,
  refusalToMail: async ({ email }) => refusals.find((refusal) => email.startsWith(refusal)),
  createProof: async (email) => `proof-of-${email}`,
});

const event = (triggerSource: string, userAttributes: Record<string, string>) =>
  ({
    triggerSource,
    userName: '0b5d3a1e-1111-4222-8333-444455556666',
    request: { codeParameter: '{####}', userAttributes },
    response: {},
  }) as unknown as CustomMessageTriggerEvent;
const write = async (triggerSource: string, userAttributes: Record<string, string>) =>
  (await customMessage(event(triggerSource, userAttributes))).response;

test('the confirmation links to its page with the address and a proof of it, and shows the code, too', async () => {
  const attributes = { email: 'ada+news@example.com', name: 'Ada' };
  const { emailMessage, emailSubject } = await write('CustomMessage_SignUp', attributes);
  expect(emailSubject).toBe('Confirm your email address for Selfsame');
  expect(emailMessage).toContain(
    'href="https://selfsame.example/email-confirmation?email=ada%2Bnews%40example.com#proof-of-ada+news@example.com"',
  );
  expect(emailMessage?.split('{####}')).toHaveLength(2);
});

test.each(refusals)('another mail is refused as %s', async (refusal) => {
  const email = `${refusal}@example.com`;
  await expect(write('CustomMessage_ResendCode', { email })).rejects.toThrow(triggerRefusals[refusal]);
  // The trigger before it has counted the sign-up, and asked SES.
  expect(await write('CustomMessage_SignUp', { email })).toHaveProperty('emailSubject');
});

test('the mail contains no text of the sign-up but its own address', async () => {
  const { emailMessage } = await write('CustomMessage_ResendCode', {
    email: 'ada@example.com',
    name: '<b>Your account expires</b>, see https://evil.example/?c={####}',
  });
  expect(emailMessage).not.toContain('evil.example');
  expect(emailMessage).not.toContain('expires<');
  expect(emailMessage?.split('{####}')).toHaveLength(2);
});

test('markup in an address is escaped', async () => {
  const { emailMessage } = await write('CustomMessage_SignUp', { email: '"<img/src=x>"@example.com' });
  expect(emailMessage).not.toContain('<img');
  expect(emailMessage).toContain('%22%3Cimg%2Fsrc%3Dx%3E%22%40example.com');
});

test('the mail to the longest address is within Cognito’s limit of 20,000 characters', async () => {
  const { emailMessage } = await write('CustomMessage_SignUp', {
    email: `${'<'.repeat(64)}@${'a'.repeat(185)}.com`,
    name: 'a'.repeat(2_048),
  });
  expect(emailMessage?.length).toBeLessThan(20_000);
});

test('other kinds of mail go out with Cognito’s default text', async () => {
  expect(await write('CustomMessage_Authentication', {})).toEqual({});
});

test.each([
  'CustomMessage_UpdateUserAttribute',
  'CustomMessage_VerifyUserAttribute',
  'CustomMessage_ForgotPassword',
] as const)(
  'a code for %s is refused in a sentence, and logged as a refusal without the address',
  async (source) => {
    await expect(write(source, { email: 'ada@example.com' })).rejects.toThrow(
      'An address or a password cannot be changed this way.',
    );
    expect(log.lines).toEqual([{ event: 'code-refused', triggerSource: source }]);
  },
);

test('a failure of our own is not logged as a refusal, since the alarm subtracts refusals', async () => {
  const broken = { triggerSource: 'CustomMessage_SignUp' } as CustomMessageTriggerEvent;
  await expect(customMessage(broken)).rejects.toThrow(TypeError);
  expect(log.lines).toEqual([]);
});

test('writes no text for a pool that does not send through SES, and refuses the same codes', async () => {
  const withoutSes = handleCustomMessage({
    siteUrl: 'https://selfsame.example',
    sendsThroughSes: false,
    refusalToMail: async ({ asksSes }) => (asksSes ? 'undeliverable' : undefined),
    createProof: () => Promise.reject(new Error('no link goes out')),
  });
  const ask = (triggerSource: string) => withoutSes(event(triggerSource, { email: 'ada@example.com' }));
  for (const source of ['CustomMessage_SignUp', 'CustomMessage_ResendCode']) {
    expect((await ask(source)).response).toEqual({});
  }
  await expect(ask('CustomMessage_UpdateUserAttribute')).rejects.toThrow('cannot be changed');
});
