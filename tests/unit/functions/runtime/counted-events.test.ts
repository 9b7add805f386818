import { expect, test } from 'vitest';
import { countedEvents } from '../../../../schemas/config/counted-events.ts';
import type { LogEvent, LogEvents } from '../../../../schemas/config/log-events.ts';
import type { MetricName } from '../../../../schemas/config/metrics.ts';

type Sweep = LogEvents['sweep-finished']['sweep'];
const counts = { done: 0, failures: 0, unreadShards: 0 };
const sweep = (name: Sweep, unfinished = true) => ({ sweep: name, ...counts, unfinished });

test.each<[LogEvent, object, MetricName | undefined]>([
  ['idle-jump', {}, 'IdleJump'],
  ['refund-failed', {}, 'StuckMoney'],
  ['invoice-not-finalized', {}, 'StuckMoney'],
  ['invoices-mailed', {}, 'StuckMoney'],
  ['stripe-key-refused', {}, 'StripeKeyRefused'],
  ['github-step-failed', { status: 'incorrect_client_credentials' }, 'GitHubSecretRefused'],
  ['github-step-failed', { status: 'access_denied' }, undefined],
  ['sweep-finished', sweep('schedules/expiry-sweep'), 'UnfinishedRuns'],
  ['sweep-finished', sweep('schedules/expiry-sweep', false), undefined],
  ['mail-not-sent', {}, 'UnsentMail'],
  ['code-refused', {}, 'TriggerRefusals'],
  ['confirmation-refused', {}, 'TriggerRefusals'],
  ['sign-up-refused', {}, 'TriggerRefusals'],
  ['tokens-refused', {}, 'TriggerRefusals'],
  ['duplicate-refunded', {}, undefined],
])('the event %s with %j counts for an alarm as %s', (event, fields, metric) => {
  expect(countedEvents[event]?.(fields as never)).toBe(metric);
});
