import { Match } from 'aws-cdk-lib/assertions';
import { describe, test } from 'vitest';
import { stageNames, templatesOf } from '../fixtures/stack.ts';

const templates = templatesOf();

describe.each(stageNames)('the schedules of %s', (stageName) => {
  const template = templates[stageName];

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
