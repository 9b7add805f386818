import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Mail } from '../../../functions/adapters/ses.ts';
import { startWorld, type World } from '../../../infra/local/start-world.ts';

let world: World<'aws'>;
let sesMail: (settings: { MAIL_FROM: string }) => Mail;

beforeAll(async () => {
  const Domain = { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'selfsame.example' } };
  world = await startWorld({ aws: { resources: { Domain } } });
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', world.aws.endpoints['SESV2']);
  ({ sesMail } = await import('../../../functions/adapters/ses.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.stop();
});

const email = { subject: 'Grüße', html: '<p>Hello</p>', text: 'Hello' };
const notice = { name: 'account-deleted' as const, ...email };
const MAIL_FROM = 'Selfsame <no-reply@selfsame.example>';

test('a mail is sent by SES as HTML and as text, and a refusal by SES is thrown', async () => {
  await sesMail({ MAIL_FROM }).send('ada@example.com', notice);
  expect(world.inbox.list()).toMatchObject([
    { from: MAIL_FROM, to: 'ada@example.com', ...email, tags: { notice: 'account-deleted' } },
  ]);
  await expect(
    sesMail({ MAIL_FROM: 'no-reply@elsewhere.example' }).send('ada@example.com', notice),
  ).rejects.toThrow('not verified');
});

test('the user of a mail is a tag, and an address is suppressed once it has complained', async () => {
  const mail = sesMail({ MAIL_FROM });
  await mail.send('grace@example.com', { ...notice, user: 'a-sub' });
  expect(world.inbox.list()[0]?.tags).toEqual({ notice: 'account-deleted', user: 'a-sub' });
  expect(await mail.isSuppressed('grace@example.com')).toBe(false);
  world.inbox.return(world.inbox.list()[0]?.id ?? '', 'complained');
  expect(await mail.isSuppressed('grace@example.com')).toBe(true);
  // The second finds no entry.
  await mail.unsuppress('grace@example.com');
  await mail.unsuppress('grace@example.com');
  expect(await mail.isSuppressed('grace@example.com')).toBe(false);
});
