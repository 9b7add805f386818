import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { stageNames, templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const templates = templatesOf();

describe.each(stageNames)('the schedules of %s', (stageName) => {
  const template = templates[stageName];
  const [[queueId] = ['']] = resources(template, 'AWS::SQS::Queue');
  const queue = { 'Fn::GetAtt': [queueId, 'Arn'] };
  /** How often Lambda tries a failed run again, and whether it then writes a record into the queue. */
  const retriesOf = (id: string) => {
    const [config] = resources(template, 'AWS::Lambda::EventInvokeConfig').filter(([name]) =>
      name.startsWith(`Schedules${id}`),
    );
    const { MaximumRetryAttempts, DestinationConfig } = (config?.[1].Properties ?? {}) as {
      MaximumRetryAttempts?: number;
      DestinationConfig?: { OnFailure?: { Destination: unknown } };
    };
    const destination = JSON.stringify(DestinationConfig?.OnFailure?.Destination);
    return { attempts: MaximumRetryAttempts, endsInQueue: destination === JSON.stringify(queue) };
  };

  test('runs the schedule of idle accounts daily, with an event that no mistyped call has', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      Name: `selfsame-${stageName}-idle-accounts`,
      ScheduleExpression: 'cron(20 9 * * ? *)',
      State: 'ENABLED',
      Target: Match.objectLike({ Input: JSON.stringify({ task: 'sweep' }) }),
    });
    // A failed run that was repeated would have the day's limits once more.
    expect(retriesOf('IdleAccounts')).toEqual({ attempts: 0, endsInQueue: true });
  });

  test('tries failed sweeps three times, and keeps those that fail for good in the queue', () => {
    const swept = [
      'ExpirySweep',
      'EventCatchUp',
      'BillingTasks',
      'UnconfirmedSweep',
      'UserExport',
      'PlanAgreement',
    ];
    for (const id of swept) {
      expect(retriesOf(id)).toEqual({ attempts: 2, endsInQueue: true });
    }
    // Calls that Lambda doesn't accept end there too.
    const targets = resources(template, 'AWS::Scheduler::Schedule')
      .filter(([id]) => !id.includes('Canary'))
      .map(([, { Properties }]) => Properties['Target'] as { DeadLetterConfig?: { Arn: unknown } });
    expect(targets.map(({ DeadLetterConfig }) => DeadLetterConfig?.Arn)).toEqual(targets.map(() => queue));
  });
});
