import * as z from 'zod/mini';

const Recipients = z.array(z.object({ emailAddress: z.string() }));

const Mail = z.object({
  messageId: z.string(),
  /** The mail's own tags, and SES's tags, which begin with `ses:`. */
  tags: z.optional(z.record(z.string(), z.array(z.string()))),
});

/**
 * A bounce or a complaint, as SES sends it to EventBridge. SES may add further types, so any text is valid.
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html, and for `detail`
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html.
 */
export const MailEvent = z.object({
  source: z.literal('aws.ses'),
  detail: z.discriminatedUnion('eventType', [
    z.object({
      eventType: z.literal('Bounce'),
      mail: Mail,
      /** `Permanent`, `Transient` or `Undetermined`. */
      bounce: z.object({
        bounceType: z.string(),
        bounceSubType: z.optional(z.string()),
        bouncedRecipients: Recipients,
      }),
    }),
    z.object({
      eventType: z.literal('Complaint'),
      mail: Mail,
      complaint: z.object({
        complaintFeedbackType: z.optional(z.string()),
        complaintSubType: z.optional(z.nullable(z.string())),
        /** Everybody at the complaint's domain who got the mail. Our mails have one recipient. */
        complainedRecipients: Recipients,
      }),
    }),
  ]),
});
export type MailEvent = z.infer<typeof MailEvent>;

/** The names of these events in EventBridge: `detail-type`. */
export const MAIL_EVENTS = { bounce: 'Email Bounced', complaint: 'Email Complaint Received' } as const;

/** The tag that names the configuration set of a mail. */
export const CONFIGURATION_SET_TAG = 'ses:configuration-set';
