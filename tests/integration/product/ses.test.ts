import { expect, onTestFinished, test } from 'vitest';
import { Clock } from '../../../infra/local/base/clock.ts';
import { listen } from '../../../infra/local/base/loopback.ts';
import { Inbox } from '../../../infra/local/base/inbox.ts';
import { EmailService } from '../../../infra/local/aws/ses.ts';
import { Store } from '../../../infra/local/base/store.ts';
import { template } from '../../fixtures/local-stack.ts';

test('a mail is sent by SES as HTML and as text, and a refusal by SES is thrown', async () => {
  const clock = new Clock();
  const store = new Store(':memory:');
  const inbox = new Inbox({ clock, store });
  const ses = new EmailService({ clock, store, inbox, publish: async () => {} });
  await ses.update(
    template({
      Domain: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'selfsame.example' } },
    }),
  );
  const server = await listen(0, ses.handle);
  onTestFinished(() => server.close());
  process.env['AWS_ENDPOINT_URL_SESV2'] = `http://127.0.0.1:${server.port}`;
  const { sesMail } = await import('../../../functions/adapters/ses.ts');
  const email = { subject: 'Grüße', html: '<p>Hello</p>', text: 'Hello' };
  const notice = { name: 'account-deleted' as const, ...email };

  await sesMail({ MAIL_FROM: 'Selfsame <no-reply@selfsame.example>' }).send('ada@example.com', notice);
  expect(inbox.list()).toMatchObject([
    {
      from: 'Selfsame <no-reply@selfsame.example>',
      to: 'ada@example.com',
      ...email,
      tags: { notice: 'account-deleted' },
    },
  ]);
  await expect(
    sesMail({ MAIL_FROM: 'no-reply@elsewhere.example' }).send('ada@example.com', notice),
  ).rejects.toThrow('not verified');
});
