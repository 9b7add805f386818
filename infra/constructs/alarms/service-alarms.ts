import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type ProviderKey, providers as catalogue } from '../../../schemas/product/providers.ts';
import { type Alarms, PROMPT, REPEATEDLY } from './alarms.ts';
import { DAY, ownMetric, sum } from './event-metrics.ts';

export interface ServiceAlarmsProps {
  /** The table that each sign-in and most pages read. */
  userPlans: ITable;
  pool: UserPool;
  /** The site's client. */
  client: UserPoolClient;
  /** The pool's identity providers. */
  providers: readonly ProviderKey[];
  /** The trigger that writes Cognito's mails. */
  customMessage: Function;
  /** The functions that AWS calls asynchronously, and again after a failure. */
  background: readonly Function[];
  /** Messages about due accounts that have failed in all tries. */
  deadLetters: IMetric;
  /** Whether Cognito sends through SES instead of from its own address. */
  sendsThroughSes: boolean;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

const HOUR = Duration.hours(1);

/** Alarms about quotas and reputation at AWS and at vendors, which fail without an error in our code. */
export class ServiceAlarms extends Construct {
  readonly #props: ServiceAlarmsProps;

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    this.#props = props;
    this.#addThrottles();
    this.#addMail();
    this.#addVendors();
    props.alarms.add('FailedRuns', {
      severity: 'mail',
      // Lambda drops an event after its last try, or after an hour of waiting. SQS keeps messages for a day.
      metric: sum([
        ...props.background.map((handler) =>
          handler.metric('AsyncEventsDropped', { period: PROMPT, statistic: 'sum' }),
        ),
        props.deadLetters,
      ]),
    });
  }

  #addThrottles(): void {
    const { userPlans, alarms } = this.#props;
    alarms.add('TablesThrottled', {
      severity: 'page',
      // Other tables show in `ServerErrors`.
      metric: sum(
        ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
          userPlans.metric(name, { period: PROMPT, statistic: 'sum' }),
        ),
      ),
      periods: REPEATEDLY,
    });
    alarms.add('FunctionsThrottled', {
      severity: 'page',
      // The throttles of all functions in the account and region, which share the quota.
      metric: Function.metricAllThrottles({ period: PROMPT, statistic: 'sum' }),
      periods: REPEATEDLY,
    });
    alarms.add('SignUpFlood', {
      severity: 'page',
      metric: this.#cognito('SignUpSuccesses', { period: PROMPT, statistic: 'sum' }),
      // A million users make a hundred sign-ups in the busiest five minutes. A script can make 15,000.
      threshold: 1_000,
      periods: REPEATEDLY,
    });
    alarms.add('SignInsThrottled', {
      severity: 'page',
      metric: sum(
        ['SignInThrottles', 'SignUpThrottles', 'TokenRefreshThrottles'].map((name) =>
          this.#cognito(name, { period: PROMPT, statistic: 'sum' }),
        ),
      ),
      periods: REPEATEDLY,
    });
  }

  /** A metric of the site's client in the user pool. */
  #cognito(
    metricName: string,
    { provider, ...options }: { provider?: string; period: Duration; statistic: string },
  ): IMetric {
    const { pool, client } = this.#props;
    return new Metric({
      namespace: 'AWS/Cognito',
      metricName,
      dimensionsMap: {
        UserPool: pool.userPoolId,
        UserPoolClient: client.userPoolClientId,
        ...(provider !== undefined && { IdentityProvider: provider }),
      },
      ...options,
    });
  }

  #addMail(): void {
    const { alarms, sendsThroughSes, customMessage } = this.#props;
    // SES reviews an account at these rates, and pauses it at 10% and 0.5%:
    // https://docs.aws.amazon.com/ses/latest/dg/reputation-dashboard-dg.html
    alarms.add('MailReputation', { severity: 'mail', metric: reputationAbove(0.05, 0.001) });
    // Four fifths of the rates at which SES pauses the account.
    alarms.add('MailPauseNear', {
      entry: 'MailReputation',
      severity: 'page',
      metric: reputationAbove(0.08, 0.004),
    });
    alarms.add('MailQuota', {
      severity: 'mail',
      // Four fifths: with SES of 50,000 mails a day, the usual quota with production access; without, of the
      // fifty that Cognito sends, which calls this trigger for each.
      ...(sendsThroughSes
        ? { metric: sesMetric('Send', DAY, 'sum'), threshold: 40_000 }
        : { metric: customMessage.metricInvocations({ period: DAY }), threshold: 40 }),
    });
  }

  #addVendors(): void {
    const { providers, metricNamespace, alarms } = this.#props;
    alarms.add('StripeKeyRefused', {
      severity: 'page',
      metric: ownMetric('StripeKeyRefused', metricNamespace),
    });
    if (providers.some((provider) => catalogue[provider].bridged)) {
      alarms.add('GitHubSecretRefused', {
        entry: 'ProviderSignInFails',
        severity: 'page',
        metric: ownMetric('GitHubSecretRefused', metricNamespace),
      });
    }
    if (providers.length === 0) return;
    const federation = (provider: ProviderKey, statistic: string): IMetric =>
      this.#cognito('FederationSuccesses', {
        provider: catalogue[provider].poolName,
        period: HOUR,
        statistic,
      });
    alarms.add('ProviderSignInFails', {
      severity: 'page',
      metric: new MathExpression({
        // Cognito records a failed federation as a data point of zero.
        expression: providers
          .map((_, index) => `IF(FILL(t${index}, 0) >= 2 AND FILL(s${index}, 0) < 1, 1, 0)`)
          .join(' + '),
        usingMetrics: Object.fromEntries(
          providers.flatMap((provider, index) => [
            [`t${index}`, federation(provider, 'n')],
            [`s${index}`, federation(provider, 'sum')],
          ]),
        ),
        period: HOUR,
      }),
      // One user tries again within the hour, and fills one period, at most two.
      periods: { reached: 3, of: 24 },
    });
  }
}

/** One if a rate of the account's reputation at SES is reached, else zero. */
const reputationAbove = (bounces: number, complaints: number): IMetric =>
  new MathExpression({
    // FILL turns a rate without data into zero: otherwise the expression would have no data either.
    expression: `IF(FILL(bounces, 0) >= ${bounces} OR FILL(complaints, 0) >= ${complaints}, 1, 0)`,
    usingMetrics: {
      bounces: sesMetric('Reputation.BounceRate', HOUR, 'avg'),
      complaints: sesMetric('Reputation.ComplaintRate', HOUR, 'avg'),
    },
    period: HOUR,
  });

const sesMetric = (metricName: string, period: Duration, statistic: string): IMetric =>
  new Metric({ namespace: 'AWS/SES', metricName, period, statistic });
