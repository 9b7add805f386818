import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke, type ScheduleTargetBaseProps } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';
import { RoleWithRights } from '../role-with-rights.ts';
import { allowFindings, arnInRules } from '../rule-exceptions.ts';
import type { AppFunction } from './app-function.ts';

/** A schedule's call of a function. */
export function scheduledCall(handler: AppFunction, props: ScheduleTargetBaseProps): LambdaInvoke {
  allowFindings(
    Stack.of(handler),
    'EventBridge Scheduler may call the function in any version. It has one.',
    `IAM5[Resource::${arnInRules(handler)}:*]`,
  );
  return new LambdaInvoke(handler, props);
}

/** EventBridge Scheduler's role for schedules. By default, CDK makes a role and a policy for each target. */
export function schedulerRole(scope: Construct): RoleWithRights {
  const { scheduleGroupArn } = ScheduleGroup.fromDefaultScheduleGroup(scope, 'Default');
  const conditions = {
    StringEquals: { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': scheduleGroupArn },
  };
  const scheduler = new ServicePrincipal('scheduler.amazonaws.com', { conditions });
  return new RoleWithRights(scope, 'CallerRole', scheduler);
}
