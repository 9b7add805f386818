import { Match } from 'aws-cdk-lib/assertions';
import { describe, test } from 'vitest';
import { stageNames, templatesOf } from '../fixtures/stack.ts';

const templates = templatesOf();

describe.each(stageNames)('the schedules of %s', (stageName) => {
  const template = templates[stageName];

  test('runs the schedule of idle accounts daily, with an event that no mistyped call has', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      Name: `selfsame-${stageName}-idle-accounts`,
      ScheduleExpression: 'cron(20 9 * * ? *)',
      State: 'ENABLED',
      Target: Match.objectLike({ Input: JSON.stringify({ task: 'sweep' }) }),
    });
    // A failed run that was repeated would have the day's limits once more.
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 0 });
  });

  test('runs every sweep hourly, under a name that contains the stage', () => {
    for (const name of ['expiry-sweep', 'event-catch-up', 'billing-tasks', 'unconfirmed-sweep']) {
      template.hasResourceProperties('AWS::Scheduler::Schedule', {
        Name: `selfsame-${stageName}-${name}`,
        ScheduleExpression: Match.stringLikeRegexp(String.raw`^cron\(\d+ \* \* \* \? \*\)$`),
        State: 'ENABLED',
      });
    }
  });
});
