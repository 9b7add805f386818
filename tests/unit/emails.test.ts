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

test('a name full of markup stays text', async () => {
  const { emailMessage } = await write('CustomMessage_ResendCode', {
    email: 'ada@example.com',
    name: '<img src=x onerror="alert(1)">',
  });
  expect(emailMessage).toContain('Welcome, &lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
  expect(emailMessage).not.toContain('<img');
});

test('stays within the 20,000 characters that Cognito takes', async () => {
  const { emailMessage } = await write('CustomMessage_SignUp', { email: 'ada@example.com', name: 'Ada' });
  expect(emailMessage?.length).toBeLessThan(20_000);
});

test('mail we have no words for goes out in Cognito’s', async () => {
  expect(await write('CustomMessage_Authentication', {})).toEqual({});
});
