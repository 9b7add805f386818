import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mail } from '../../../functions/adapters/ses.ts';
import { Clock } from '../../../infra/local/base/clock.ts';
import { listen, type Loopback } from '../../../infra/local/base/loopback.ts';
import { Inbox } from '../../../infra/local/base/inbox.ts';
import { EmailService } from '../../../infra/local/aws/ses.ts';
import { Store } from '../../../infra/local/base/store.ts';
import { template } from '../../fixtures/worlds/local-stack.ts';

const clock = new Clock();
const store = new Store(':memory:');
const inbox = new Inbox({ clock, store });
let server: Loopback;
let sesMail: (settings: { MAIL_FROM: string }) => Mail;

beforeAll(async () => {
  const ses = new EmailService({ clock, store, inbox, publish: async () => {} });
  await ses.update(
    template({
      Domain: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'selfsame.example' } },
    }),
  );
  server = await listen(0, ses.handle);
  process.env['AWS_ENDPOINT_URL_SESV2'] = `http://127.0.0.1:${server.port}`;
  ({ sesMail } = await import('../../../functions/adapters/ses.ts'));
});
afterAll(() => server.close());

const email = { subject: 'Grüße', html: '<p>Hello</p>', text: 'Hello' };
const notice = { name: 'account-deleted' as const, ...email };
const MAIL_FROM = 'Selfsame <no-reply@selfsame.example>';

test('a mail is sent by SES as HTML and as text, and a refusal by SES is thrown', async () => {
  await sesMail({ MAIL_FROM }).send('ada@example.com', notice);
  expect(inbox.list()).toMatchObject([
    { from: MAIL_FROM, to: 'ada@example.com', ...email, tags: { notice: 'account-deleted' } },
  ]);
  await expect(
    sesMail({ MAIL_FROM: 'no-reply@elsewhere.example' }).send('ada@example.com', notice),
  ).rejects.toThrow('not verified');
});

test('the user of a mail is a tag, and an address is suppressed once it has complained', async () => {
  const mail = sesMail({ MAIL_FROM });
  await mail.send('grace@example.com', { ...notice, user: 'a-sub' });
  expect(inbox.list()[0]?.tags).toEqual({ notice: 'account-deleted', user: 'a-sub' });
  expect(await mail.isSuppressed('grace@example.com')).toBe(false);
  inbox.return(inbox.list()[0]?.id ?? '', 'complained');
  expect(await mail.isSuppressed('grace@example.com')).toBe(true);
});
