import { expect, test } from 'vitest';
import { product } from '../../schemas/product/product.ts';
import { EventBus } from '../../infra/local/aws/event-bus.ts';
import { returnedEvent } from '../../infra/local/aws/undeliverable-mail.ts';
import { resourceTypes } from '../../infra/local/aws/services.ts';
import type { Message } from '../../infra/local/base/inbox.ts';
import { Template } from '../../infra/local/stack/template.ts';
import { MailEvent } from '../../schemas/config/mail-event.ts';
import { stages } from '../../infra/stages/stages.ts';
import { stageNames, templatesOf } from '../fixtures/aws/stack.ts';

const templates = templatesOf();

test.each(stageNames)('the outputs of %s name the DNS records of its mail', (stageName) => {
  const template = templates[stageName];
  const domain = stages[stageName].mailbox.split('@')[1] ?? '';
  template.hasOutput('MailRecord4', {
    Value: `bounce.${domain} MX 10 feedback-smtp.us-east-1.amazonses.com`,
  });
  template.hasOutput('MailRecord5', { Value: `bounce.${domain} TXT "v=spf1 include:amazonses.com ~all"` });
  template.hasOutput('MailRecord6', { Value: `_dmarc.${domain} TXT "v=DMARC1; p=none"` });
});

test('an event reaches the function of its own stage alone', async () => {
  const called: [string, unknown][] = [];
  const setOf = new Map<string, string>();
  for (const stageName of stageNames) {
    const stack = new Template({
      document: templates[stageName].toJSON(),
      types: resourceTypes,
      stackName: `selfsame-${stageName}`,
    });
    setOf.set(stageName, stack.of('AWS::SES::ConfigurationSet')[0]?.ref ?? '');
    const bus = new EventBus({
      invoke: async (functionArn, event) => void called.push([`${stageName} ${functionArn}`, event]),
    });
    await bus.update(stack);
    const message: Message = {
      id: 'message',
      from: `${product.name} <no-reply@selfsame.example>`,
      to: 'ada@example.com',
      subject: '',
      html: '',
      text: '',
      links: [],
      tags: { notice: 'account-idle', user: 'ada' },
      outcome: 'bounced',
      sentAt: '2026-01-20T12:00:00.000Z',
    };
    for (const configurationSet of ['another', ...setOf.values()]) {
      for (const reason of ['BOUNCE', 'COMPLAINT'] as const) {
        for (const wasSent of [true, false]) {
          const about = { reason, wasSent, configurationSet, now: new Date(0) };
          await bus.publish(returnedEvent(message, about));
        }
      }
    }
  }
  expect(called.map(([target]) => target)).toEqual(
    stageNames.flatMap((stageName) =>
      Array.from(
        { length: 4 },
        () => expect.stringMatching(`^${stageName} .*EventsUndeliverableMail`) as string,
      ),
    ),
  );
  for (const [, event] of called) expect(() => MailEvent.parse(event)).not.toThrow();
});
