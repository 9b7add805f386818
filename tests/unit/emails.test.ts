import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { writeMessage } from '../../functions/identity/custom-message.ts';

const write = async (
  triggerSource: CustomMessageTriggerEvent['triggerSource'],
  userAttributes: Record<string, string>,
) => {
  const { response } = await writeMessage({ siteUrl: 'https://selfsame.example' })({
    triggerSource,
    userName: '0b5d3a1e-1111-4222-8333-444455556666',
    request: { codeParameter: '{####}', userAttributes },
    response: {},
  } as unknown as CustomMessageTriggerEvent);
  return response;
};

test('the confirmation links to its page with the address and the code, and shows the code itself', async () => {
  const { emailMessage, emailSubject } = await write('CustomMessage_SignUp', {
    email: 'ada+news@example.com',
    name: 'Ada',
  });
  expect(emailSubject).toBe('Confirm your e-mail address for Selfsame');
  expect(emailMessage).toContain(
    'href="https://selfsame.example/email-confirmation?email=ada%2Bnews%40example.com&amp;code={####}"',
  );
  expect(emailMessage?.split('{####}')).toHaveLength(3);
});

test('the reset link carries the code and the opaque user name, and no address', async () => {
  const { emailMessage } = await write('CustomMessage_ForgotPassword', { email: 'ada@example.com' });
  expect(emailMessage).toContain(
    '/reset-password?access_token={####}&amp;refresh_token=0b5d3a1e-1111-4222-8333-444455556666"',
  );
  expect(emailMessage).not.toContain('ada@example.com');
});

test('nothing that whoever signs up has chosen is in the mail, but the address it goes to', async () => {
  const { emailMessage } = await write('CustomMessage_ResendCode', {
    email: 'ada@example.com',
    name: '<b>Your account expires</b>, see https://evil.example/?c={####}',
  });
  expect(emailMessage).not.toContain('evil.example');
  expect(emailMessage).not.toContain('expires<');
  expect(emailMessage?.split('{####}')).toHaveLength(3);
});

test('an address full of markup stays text', async () => {
  const { emailMessage } = await write('CustomMessage_SignUp', { email: '"<img/src=x>"@example.com' });
  expect(emailMessage).not.toContain('<img');
  expect(emailMessage).toContain('%22%3Cimg%2Fsrc%3Dx%3E%22%40example.com');
});

test('stays within the 20,000 characters that Cognito takes, for the longest address', async () => {
  const { emailMessage } = await write('CustomMessage_SignUp', {
    email: `${'<'.repeat(64)}@${'a'.repeat(185)}.com`,
    name: 'a'.repeat(2_048),
  });
  expect(emailMessage?.length).toBeLessThan(20_000);
});

test('mail we have no words for goes out in Cognito’s', async () => {
  expect(await write('CustomMessage_Authentication', {})).toEqual({});
});
