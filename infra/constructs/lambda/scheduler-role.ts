import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { RoleWithRights } from '../role-with-rights.ts';

/** EventBridge Scheduler's role for schedules. By default, CDK makes a role and a policy for each target. */
export function schedulerRole(scope: Construct): RoleWithRights {
  const { scheduleGroupArn } = ScheduleGroup.fromDefaultScheduleGroup(scope, 'Default');
  const conditions = {
    StringEquals: { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': scheduleGroupArn },
  };
  const scheduler = new ServicePrincipal('scheduler.amazonaws.com', { conditions });
  return new RoleWithRights(scope, 'CallerRole', scheduler);
}
