import type { LogEvent, LogEvents } from './log-events.ts';
import type { MetricName } from './metrics.ts';

/** The metric that counts an event, for alarms. Undefined for lines that don't count. */
export const countedEvents: {
  readonly [E in LogEvent]?: (fields: LogEvents[E]) => MetricName | undefined;
} = {
  'idle-jump': () => 'IdleJump',
  'refund-failed': () => 'StuckMoney',
  'invoice-not-finalized': () => 'StuckMoney',
  'invoices-mailed': () => 'StuckMoney',
  'stripe-key-refused': () => 'StripeKeyRefused',
  // GitHub refuses our client: the client secret is wrong or has expired.
  'github-step-failed': ({ status }) =>
    status === 'incorrect_client_credentials' ? 'GitHubSecretRefused' : undefined,
  'sweep-finished': ({ unfinished }) => (unfinished ? 'UnfinishedRuns' : undefined),
  'mail-not-sent': () => 'UnsentMail',
  'code-refused': () => 'TriggerRefusals',
  'confirmation-refused': () => 'TriggerRefusals',
  'sign-up-refused': () => 'TriggerRefusals',
  'tokens-refused': () => 'TriggerRefusals',
};
