import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  SingleValueWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Function } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LogEvent } from '../../../schemas/config/log-events.ts';
import type { MetricName } from '../../../schemas/config/metrics.ts';
import type { Alarms } from '../alarms/alarms.ts';
import { ownMetric } from '../alarms/event-metrics.ts';
import { signInAclOf } from '../firewall/sign-in-firewall.ts';
import { requestsBlocked } from '../firewall/web-acl.ts';

export interface DashboardProps {
  httpApi: HttpApi;
  pool: UserPool;
  /** The site's client. */
  client: UserPoolClient;
  distributionId: string;
  accessLog: ILogGroup;
  /** The logs of the functions whose failures the weekly query counts. */
  functionLogs: readonly ILogGroup[];
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  /** The dashboard shows all alarms that exist by now. */
  alarms: Alarms;
}

const HOUR = Duration.hours(1);
const FULL_WIDTH = 24;

/** A page with the state of a stage: alarms, the weekly query, business, errors and latencies. */
export class Dashboard extends Construct {
  readonly #props: DashboardProps;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    this.#props = props;
    const dashboard = new CloudWatchDashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.days(7),
    });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms.all], width: FULL_WIDTH, height: 4 }),
    );
    dashboard.addWidgets(...this.#weekly());
    dashboard.addWidgets(...this.#business());
    dashboard.addWidgets(...this.#health());
  }

  /** Failures that can wait for a look once a week: `.github/runbook.md` says what to do about each. */
  #weekly() {
    const { accessLog, functionLogs } = this.#props;
    const events = weeklyEvents.map((event) => `"${event}"`).join(', ');
    return [
      table(
        'Weekly: events',
        functionLogs,
        `filter message.event in [${events}] or message.unfinished like /1|true/ | stats count() by message.event, message.sweep`,
      ),
      table(
        'Weekly: refused and failed requests',
        [accessLog],
        'filter status=429 or status>=500 | stats count() by status, route, cause',
      ),
    ];
  }

  #business() {
    const { pool, client, metricNamespace } = this.#props;
    const count = (name: MetricName, label: string): IMetric =>
      ownMetric(name, metricNamespace, { period: HOUR }).with({ label });
    const signIns = new Metric({
      namespace: 'AWS/Cognito',
      metricName: 'SignInSuccesses',
      dimensionsMap: { UserPool: pool.userPoolId, UserPoolClient: client.userPoolClientId },
      period: HOUR,
      statistic: 'sum',
      label: 'Sign-ins',
    });
    const accounts = [count('SignUps', 'Sign-ups'), signIns];
    const sales = [
      count('CheckoutsStarted', 'Checkouts started'),
      count('PlusStarted', 'Checkouts paid'),
      count('Cancellations', 'Cancellations'),
      count('Refunds', 'Refunds'),
      count('OrphansEnded', 'Ended without a user'),
    ];
    return [
      new SingleValueWidget({
        title: 'In the period shown',
        metrics: [...accounts, ...sales],
        setPeriodToTimeRange: true,
        width: FULL_WIDTH,
        height: 3,
      }),
      graph('Accounts', accounts),
      graph('Plans', sales),
    ];
  }

  #health() {
    const { httpApi, metricNamespace, distributionId } = this.#props;
    const { stackName, region } = Stack.of(this);
    const api = { period: Duration.minutes(5) };
    return [
      graph('Errors', [
        httpApi.metricServerError({ ...api, statistic: 'sum', label: 'Answers of 5xx' }),
        httpApi.metricClientError({ ...api, statistic: 'sum', label: 'Answers of 4xx' }),
        // CloudFront's metrics are in us-east-1 under the region Global.
        new Metric({
          namespace: 'AWS/CloudFront',
          metricName: '5xxErrorRate',
          dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
          region: 'us-east-1',
          period: HOUR,
          statistic: 'avg',
          label: 'Site: % of 5xx',
        }),
      ]),
      graph('Latency in milliseconds', [
        httpApi.metricLatency({ ...api, statistic: Stats.p(50), label: 'API, median' }),
        httpApi.metricLatency({ ...api, statistic: Stats.p(99), label: 'API, p99' }),
        Function.metricAllDuration({ ...api, statistic: Stats.p(99), label: 'Functions, p99' }),
      ]),
      graph('Limits', [
        Function.metricAllConcurrentExecutions({ ...api, statistic: 'max', label: 'Functions at once' }),
        Function.metricAllThrottles({ ...api, statistic: 'sum', label: 'Functions throttled' }),
        requestsBlocked(stackName).with({ label: 'Requests blocked' }),
        requestsBlocked(signInAclOf(stackName), region).with({ label: 'Sign-ins blocked' }),
      ]),
      graph('Webhooks', [
        ownMetric('StripeEvents', metricNamespace, { period: HOUR }).with({ label: 'Events at Stripe' }),
        ownMetric('WebhooksReceived', metricNamespace, { period: HOUR }).with({ label: 'Webhooks received' }),
        ownMetric('CatchUpLag', metricNamespace, { period: HOUR, statistic: 'max' }).with({
          label: 'Catch-up behind, seconds',
        }),
      ]),
    ];
  }
}

const weeklyEvents = [
  'app-token-reused',
  'billing-stuck',
  'page-crash',
  'plan-contradiction',
  'stripe-refused',
  'suppression-not-read',
  'use-not-recorded',
] as const satisfies readonly LogEvent[];

const table = (title: string, groups: readonly ILogGroup[], queryString: string): LogQueryWidget =>
  new LogQueryWidget({
    title,
    logGroupNames: groups.map(({ logGroupName }) => logGroupName),
    view: LogQueryVisualizationType.TABLE,
    queryString,
    width: FULL_WIDTH / 2,
    height: 6,
  });

const graph = (title: string, left: IMetric[]): GraphWidget =>
  new GraphWidget({ title, left, width: FULL_WIDTH / 4, height: 6 });
