import {
  GetSuppressedDestinationCommand,
  SendEmailCommand,
  type SendEmailCommandInput,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, test } from 'vitest';
import { Clock } from '../../base/clock.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { Inbox } from '../../base/inbox.ts';
import type { BusEvent } from '../../aws/service.ts';
import { EmailService } from '../../aws/ses.ts';
import { Store } from '../../base/store.ts';
import { template } from '../fixtures/local-stack.ts';

let server: Loopback;
afterEach(() => server.close());

const identity = (EmailIdentity: string) => ({
  Type: 'AWS::SES::EmailIdentity',
  Properties: { EmailIdentity },
});
const stack = template({ Domain: identity('selfsame.example'), Person: identity('ann@elsewhere.example') });

async function world(described = stack) {
  const clock = new Clock();
  const store = new Store(':memory:');
  const mail = new Inbox({ clock, store });
  const events: BusEvent[] = [];
  const publish = async (event: BusEvent) => void events.push(event);
  const service = new EmailService({ clock, store, inbox: mail, publish });
  await service.update(described);
  server = await listen(0, service.handle);
  const client = new SESv2Client({
    endpoint: `http://127.0.0.1:${server.port}`,
  });
  const send = (input: Partial<SendEmailCommandInput>) =>
    client.send(
      new SendEmailCommand({
        FromEmailAddress: 'Selfsame <no-reply@selfsame.example>',
        Destination: { ToAddresses: ['grace@example.com'] },
        Content: {
          Simple: {
            Subject: { Data: 'Hello', Charset: 'UTF-8' },
            Body: {
              Html: { Data: '<p>Go <a href="https://selfsame.example/a?b=1&amp;c=2">there</a></p>' },
              Text: { Data: 'Go there: https://selfsame.example/a?b=1&c=2' },
            },
          },
        },
        ...input,
      }),
    );
  const isListed = (EmailAddress: string) =>
    client.send(new GetSuppressedDestinationCommand({ EmailAddress })).then(
      ({ SuppressedDestination }) => SuppressedDestination?.Reason,
      (error: Error) => error.name,
    );
  return { mail, send, service, events, isListed };
}

const content = (body: object): Partial<SendEmailCommandInput> => ({
  Content: { Simple: { Subject: { Data: 'Hello' }, Body: body } },
});

test.each(['no-reply@mail.selfsame.example', 'No-Reply@Selfsame.Example', 'ann@elsewhere.example'])(
  '%s may send, since the stack has its identity',
  async (FromEmailAddress) => {
    const { mail, send } = await world();
    await send({ FromEmailAddress });
    expect(mail.list()).toHaveLength(1);
  },
);

test.each(['bob@elsewhere.example', 'no-reply@notselfsame.example', 'Selfsame <no-reply@other.example>'])(
  '%s may not, and nothing is sent',
  async (FromEmailAddress) => {
    const { mail, send } = await world();
    await expect(send({ FromEmailAddress })).rejects.toMatchObject({
      name: 'MessageRejected',
      message: expect.stringContaining('Email address is not verified.') as string,
    });
    expect(mail.list()).toEqual([]);
  },
);

test.each<[string, Partial<SendEmailCommandInput>]>([
  ['no recipient', { Destination: { ToAddresses: [] } }],
  ['no destination at all', { Destination: undefined }],
  ['a recipient that is no address', { Destination: { ToAddresses: ['bob@example.com', 'grace'] } }],
  ['no content', { Content: undefined }],
  ['neither text nor HTML', content({})],
  [
    'a recipient that the inbox would not show',
    { Destination: { ToAddresses: ['a@b.example'], BccAddresses: ['c@b.example'] } },
  ],
  ['a template', { Content: { Template: { TemplateName: 'Welcome' } } }],
])('a mail with %s is refused, and nothing is sent', async (_, input) => {
  const { mail, send } = await world();
  await expect(send(input)).rejects.toMatchObject({ name: 'BadRequestException' });
  expect(mail.list()).toEqual([]);
});

describe('with a configuration set', () => {
  const withEvents = template({
    Domain: {
      Type: 'AWS::SES::EmailIdentity',
      Properties: {
        EmailIdentity: 'selfsame.example',
        ConfigurationSetAttributes: { ConfigurationSetName: { Ref: 'Set' } },
      },
    },
    Set: {
      Type: 'AWS::SES::ConfigurationSet',
      Properties: { Name: 'all-mail', SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] } },
    },
    Events: {
      Type: 'AWS::SES::ConfigurationSetEventDestination',
      Properties: {
        ConfigurationSetName: { Ref: 'Set' },
        EventDestination: {
          Enabled: true,
          EventBridgeDestination: { EventBusArn: 'arn:aws:events:us-east-1:123456789012:event-bus/default' },
          MatchingEventTypes: ['bounce', 'complaint'],
        },
      },
    },
  });
  const to = (address: string): Partial<SendEmailCommandInput> => ({
    Destination: { ToAddresses: [address] },
    EmailTags: [{ Name: 'notice', Value: 'account-idle' }],
  });
  interface Detail {
    eventType: string;
    bounce?: { bounceSubType: string };
    complaint?: { complaintSubType: string | null };
  }
  const reasons = (events: readonly BusEvent[]) =>
    events.map(({ detail }) => {
      const { eventType, bounce, complaint } = detail as Detail;
      return `${eventType} ${bounce?.bounceSubType ?? complaint?.complaintSubType}`;
    });

  test.each([
    ['bounced', 'BOUNCE', ['Bounce General', 'Bounce OnAccountSuppressionList']],
    ['complained', 'COMPLAINT', ['Complaint null', 'Complaint OnAccountSuppressionList']],
  ] as const)(
    'an address that %s gets no more mail, until it is taken off the list',
    async (outcome, reason, expected) => {
      const { mail, send, service, events, isListed } = await world(withEvents);
      await send(to('Ada@example.com'));
      expect(await isListed('ada@example.com')).toBe('NotFoundException');
      mail.return(mail.list()[0]?.id ?? '', outcome);
      expect(await isListed('ada@example.com')).toBe(reason);
      await send(to('ada@example.com'));
      expect(mail.list().map((message) => message.outcome)).toEqual(['suppressed', outcome]);
      expect(reasons(events)).toEqual(expected);
      expect(service.unsuppress('ada@example.com')).toBe(true);
      await send(to('ada@example.com'));
      expect(mail.list()[0]?.outcome).toBe('delivered');
    },
  );

  test.each([
    ['bounce@simulator.amazonses.com', 'bounced', ['Bounce General']],
    ['bounce+ada@simulator.amazonses.com', 'bounced', ['Bounce General']],
    ['complaint@simulator.amazonses.com', 'complained', ['Complaint null']],
    ['suppressionlist@simulator.amazonses.com', 'suppressed', ['Bounce OnAccountSuppressionList']],
    ['success@simulator.amazonses.com', 'delivered', []],
  ])('%s is answered as by the mailbox simulator, and never listed', async (address, outcome, expected) => {
    const { mail, send, events, isListed } = await world(withEvents);
    await send(to(address));
    expect(mail.list()[0]?.outcome).toBe(outcome);
    expect(reasons(events)).toEqual(expected);
    expect(await isListed(address)).toBe('NotFoundException');
  });
});
