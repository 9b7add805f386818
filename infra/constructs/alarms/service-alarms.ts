import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type ProviderKey, providers as catalogue } from '../../../schemas/product/providers.ts';
import { type Alarms, PROMPT, REPEATEDLY } from './alarms.ts';
import { DAY, ownMetric } from './event-metrics.ts';

export interface ServiceAlarmsProps {
  /** At most ten tables: an alarm takes ten metrics. */
  tables: readonly ITable[];
  pool: UserPool;
  /** The site's client. */
  client: UserPoolClient;
  /** The pool's identity providers. */
  providers: readonly ProviderKey[];
  /** The trigger that writes Cognito's mails. */
  customMessage: Function;
  /** Whether Cognito sends through SES instead of from its own address. */
  sendsThroughSes: boolean;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

/** Alarms about quotas and reputation at AWS and at vendors, which fail without an error in our code. */
export class ServiceAlarms extends Construct {
  readonly #props: ServiceAlarmsProps;

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    this.#props = props;
    this.#addThrottles();
    this.#addMail();
    this.#addVendors();
  }

  #addThrottles(): void {
    const { tables, providers, alarms } = this.#props;
    for (const [id, metricName] of [
      ['TableReadsThrottled', 'ReadThrottleEvents'],
      ['TableWritesThrottled', 'WriteThrottleEvents'],
    ] as const) {
      alarms.add(id, {
        entry: 'TablesThrottled',
        severity: 'page',
        metric: sum(tables.map((table) => table.metric(metricName, { period: PROMPT, statistic: 'sum' }))),
        periods: REPEATEDLY,
      });
    }
    alarms.add('FunctionsThrottled', {
      severity: 'page',
      // The throttles of all functions in the account and region, which share the quota.
      metric: Function.metricAllThrottles({ period: PROMPT, statistic: 'sum' }),
      periods: REPEATEDLY,
    });
    alarms.add('SignInsThrottled', {
      severity: 'page',
      metric: sum([
        ...['SignInThrottles', 'SignUpThrottles', 'TokenRefreshThrottles'].map((name) => this.#cognito(name)),
        ...providers.map((provider) =>
          this.#cognito('FederationThrottles', { IdentityProvider: catalogue[provider].poolName }),
        ),
      ]),
      periods: REPEATEDLY,
    });
  }

  /** A metric of the site's client in the user pool. */
  #cognito(
    metricName: string,
    {
      IdentityProvider,
      period = PROMPT,
      statistic = 'sum',
    }: { IdentityProvider?: string; period?: Duration; statistic?: string } = {},
  ): IMetric {
    const { pool, client } = this.#props;
    return new Metric({
      namespace: 'AWS/Cognito',
      metricName,
      dimensionsMap: {
        UserPool: pool.userPoolId,
        UserPoolClient: client.userPoolClientId,
        ...(IdentityProvider && { IdentityProvider }),
      },
      period,
      statistic,
    });
  }

  #addMail(): void {
    const { alarms } = this.#props;
    // SES reviews an account at these rates, and pauses it at 10% and 0.5%:
    // https://docs.aws.amazon.com/ses/latest/dg/reputation-dashboard-dg.html
    alarms.add('MailBounces', {
      entry: 'MailReputation',
      severity: 'mail',
      metric: reputation('Reputation.BounceRate'),
      threshold: 0.05,
    });
    alarms.add('MailComplaints', {
      entry: 'MailReputation',
      severity: 'mail',
      metric: reputation('Reputation.ComplaintRate'),
      threshold: 0.001,
    });
    alarms.add('MailPauseNear', {
      entry: 'MailReputation',
      severity: 'page',
      metric: new MathExpression({
        // Four fifths of the rates at which SES pauses the account. FILL turns a rate without data into zero:
        // otherwise the expression would have no data either.
        expression: 'IF(FILL(bounces, 0) >= 0.08 OR FILL(complaints, 0) >= 0.004, 1, 0)',
        usingMetrics: {
          bounces: reputation('Reputation.BounceRate'),
          complaints: reputation('Reputation.ComplaintRate'),
        },
        period: Duration.hours(1),
      }),
    });
    alarms.add('MailQuota', { severity: 'mail', ...this.#mailQuota() });
  }

  #mailQuota(): { metric: IMetric; threshold: number } {
    if (this.#props.sendsThroughSes) {
      return {
        metric: new Metric({ namespace: 'AWS/SES', metricName: 'Send', period: DAY, statistic: 'sum' }),
        // Four fifths of 50,000 mails a day, the usual quota with production access.
        threshold: 40_000,
      };
    }
    return {
      // Cognito calls this trigger for each mail. Without SES, Cognito sends at most fifty mails a day.
      metric: this.#props.customMessage.metricInvocations({ period: DAY }),
      threshold: 40,
    };
  }

  #addVendors(): void {
    const { providers, metricNamespace, alarms } = this.#props;
    alarms.add('StripeKeyRefused', {
      severity: 'page',
      metric: ownMetric('StripeKeyRefused', metricNamespace),
    });
    for (const name of ['StripeRefusals', 'PlanContradictions'] as const) {
      alarms.add(name, { severity: 'mail', metric: ownMetric(name, metricNamespace) });
    }
    if (providers.some((provider) => catalogue[provider].bridged)) {
      alarms.add('GitHubSecretRefused', {
        entry: 'ProviderSignInFails',
        severity: 'page',
        metric: ownMetric('GitHubSecretRefused', metricNamespace),
      });
    }
    for (const provider of providers) {
      const { poolName } = catalogue[provider];
      const period = Duration.hours(1);
      const federation = (statistic: string): IMetric =>
        this.#cognito('FederationSuccesses', { IdentityProvider: poolName, period, statistic });
      alarms.add(`${poolName}SignInFails`, {
        entry: 'ProviderSignInFails',
        severity: 'page',
        metric: new MathExpression({
          // Cognito records a failed federation as a data point of zero.
          expression: 'IF(tries >= 2 AND successes < 1, 1, 0)',
          usingMetrics: { tries: federation('n'), successes: federation('sum') },
          period,
        }),
        // One user tries again within the hour, and fills one period, at most two.
        periods: { reached: 3, of: 24 },
      });
    }
  }
}

/** The sum of at most ten metrics, the maximum of an alarm. Metrics without data count as zero. */
function sum(metrics: readonly IMetric[]): IMetric {
  return new MathExpression({
    expression: `SUM([${metrics.map((_, index) => `m${index}`).join(', ')}])`,
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: PROMPT,
  });
}

/** A metric of the account's reputation at SES. */
const reputation = (metricName: string): IMetric =>
  new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: 'avg' });
