import { randomUUID } from 'node:crypto';
import type { MailOutcome, Message } from '../base/inbox.ts';
import { ACCOUNT, arn, REGION } from '../stack/resource-type.ts';
import type { Reason } from './configuration-sets.ts';
import type { BusEvent } from './service.ts';

// Addresses of SES's mailbox simulator, from its documentation. `bounce+label@…` works like `bounce@…`.
const simulated: Record<string, MailOutcome> = {
  bounce: 'bounced',
  complaint: 'complained',
  suppressionlist: 'suppressed',
};

const SUPPRESSED = 'OnAccountSuppressionList';

/** The outcome of mail to SES's mailbox simulator, whose addresses are never put on the list. */
export function simulatorOutcome(address: string): MailOutcome | undefined {
  const [, name] = /^([\w-]+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(address) ?? [];
  return name === undefined ? undefined : (simulated[name.toLowerCase()] ?? 'delivered');
}

/**
 * SES's event on EventBridge, after the documentation of event data, with the fields that functions may read.
 * `wasSent`: false for mail to a suppressed address, whose event repeats the reason for the listing.
 */
export function returnedEvent(
  message: Message,
  {
    reason,
    wasSent,
    configurationSet,
    now,
  }: { reason: Reason; wasSent: boolean; configurationSet: string; now: Date },
): BusEvent {
  const isComplaint = reason === 'COMPLAINT';
  const time = now.toISOString();
  const mail = {
    timestamp: message.sentAt,
    messageId: message.id,
    source: message.from,
    sendingAccountId: ACCOUNT,
    destination: [message.to],
    headersTruncated: false,
    commonHeaders: {
      from: [message.from],
      to: [message.to],
      messageId: message.id,
      subject: message.subject,
    },
    tags: {
      ...Object.fromEntries(Object.entries(message.tags).map(([name, value]) => [name, [value]])),
      'ses:configuration-set': [configurationSet],
    },
  };
  const recipients = [{ emailAddress: message.to }];
  const about = { timestamp: time, feedbackId: randomUUID() };
  const detail = isComplaint
    ? {
        eventType: 'Complaint',
        mail,
        complaint: {
          ...about,
          complainedRecipients: recipients,
          complaintSubType: wasSent ? null : SUPPRESSED,
          complaintFeedbackType: 'abuse',
        },
      }
    : {
        eventType: 'Bounce',
        mail,
        bounce: {
          ...about,
          bouncedRecipients: recipients,
          bounceType: 'Permanent',
          bounceSubType: wasSent ? 'General' : SUPPRESSED,
        },
      };
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': isComplaint ? 'Email Complaint Received' : 'Email Bounced',
    source: 'aws.ses',
    account: ACCOUNT,
    time,
    region: REGION,
    resources: [arn('ses', `configuration-set/${configurationSet}`)],
    detail,
  };
}
