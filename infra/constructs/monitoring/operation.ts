import { Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import type { secretNames } from '../../stages/secret-names.ts';
import type { Stage } from '../../stages/stage.ts';
import type { Alarms } from '../alarms/alarms.ts';
import { ServiceAlarms } from '../alarms/service-alarms.ts';
import type { Api } from '../api/api.ts';
import type { Data } from '../data/data.ts';
import { SignInFirewall } from '../firewall/sign-in-firewall.ts';
import type { Identity } from '../identity/identity.ts';
import { Support } from '../identity/support-role.ts';
import type { Triggers } from '../identity/triggers.ts';
import type { FunctionSettings } from '../lambda/app-function.ts';
import type { DueAccounts } from '../lambda/due-accounts.ts';
import type { Schedules } from '../lambda/schedules.ts';
import type { UndeliverableMail } from '../mail/undeliverable-mail.ts';
import type { Website } from '../website/website.ts';
import { Canary } from './canary.ts';
import { CostBudget } from './cost-budget.ts';
import { Dashboard } from './dashboard.ts';

export interface OperationProps {
  stage: Stage;
  secrets: ReturnType<typeof secretNames>;
  functions: FunctionSettings;
  httpApi: HttpApi;
  api: Api;
  data: Data;
  identity: Identity;
  triggers: Triggers;
  schedules: Schedules;
  events: UndeliverableMail;
  dueAccounts: DueAccounts;
  website: Website;
  alarms: Alarms;
}

/** The constructs that people need who run the product. Created after all other alarms. */
export class Operation extends Construct {
  constructor(scope: Construct, id: string, props: OperationProps) {
    super(scope, id);
    const { stage, functions, data, triggers, schedules, events, alarms } = props;
    const { pool, client } = props.identity;
    const { stackName } = Stack.of(this);
    const { metricNamespace } = functions;
    new CostBudget(this, 'CostBudget', { dollars: stage.monthlyBudget, email: stage.alarmEmail });
    if (stage.signInFirewall) new SignInFirewall(this, 'SignInFirewall', pool);
    if (stage.canary) new Canary(this, 'Canary', { stackName, functions, alarms });
    new Support(this, 'Support', { data, pool, stripeSecretName: props.secrets.stripe });
    new ServiceAlarms(this, 'ServiceAlarms', {
      userPlans: data.tables.UserPlans,
      pool,
      client,
      providers: stage.providers,
      customMessage: triggers.customMessage,
      deadLetters: props.dueAccounts.failed,
      background: [...schedules.handlers, events.handler],
      sendsThroughSes: stage.sendsThroughSes,
      metricNamespace,
      alarms,
    });
    new Dashboard(this, 'Dashboard', {
      httpApi: props.httpApi,
      pool,
      client,
      distributionId: props.website.distributionId,
      accessLog: props.api.accessLog,
      functionLogs: [props.api.log, schedules.log, triggers.log],
      metricNamespace,
      alarms,
    });
  }
}
