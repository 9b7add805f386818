import { isDaily, type ScheduleName } from '../schedules.ts';
import type { LogEvent, LogEvents } from './log-events.ts';
import type { MetricName } from './metrics.ts';

/** The metric that counts an event, for alarms. Undefined for lines that don't count. */
export const countedEvents: {
  readonly [E in LogEvent]?: (fields: LogEvents[E]) => MetricName | undefined;
} = {
  'app-token-reused': () => 'AppTokensReused',
  'refund-failed': () => 'FailedRefunds',
  'invoice-not-finalized': () => 'FailedRefunds',
  'billing-stuck': () => 'BillingStuck',
  'idle-limit-reached': () => 'IdleLimitReached',
  'stripe-key-refused': () => 'StripeKeyRefused',
  'stripe-refused': () => 'StripeRefusals',
  'plan-contradiction': () => 'PlanContradictions',
  // GitHub refuses our client: the client secret is wrong or has expired.
  'github-step-failed': ({ status }) =>
    status === 'incorrect_client_credentials' ? 'GitHubSecretRefused' : undefined,
  'sweep-finished': ({ sweep, unfinished }) => {
    const name = sweep.replace('schedules/', '') as ScheduleName;
    if (!unfinished) return undefined;
    return isDaily(name) ? 'UnfinishedDailyRuns' : 'UnfinishedRuns';
  },
  'mail-not-sent': () => 'UnsentMail',
  'suppression-not-read': () => 'SuppressionNotRead',
  'code-refused': () => 'RefusedMessages',
  'confirmation-refused': () => 'RefusedConfirmations',
  'sign-up-refused': () => 'RefusedSignUps',
  'tokens-refused': () => 'RefusedTokens',
};
