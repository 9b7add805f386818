import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Provider } from '../../schemas/providers.ts';
import { type Alarms, PROMPT, REPEATEDLY } from './alarms.ts';
import { DAY, linesCounted } from './event-metrics.ts';

export interface ServiceAlarmsProps {
  /** At most five: an alarm takes ten metrics. */
  tables: readonly ITable[];
  pool: UserPool;
  /** The site's client. */
  client: UserPoolClient;
  /** The pool's identity providers. */
  providers: readonly Provider[];
  /** The trigger that writes Cognito's mails. */
  customMessage: Function;
  /** Whether Cognito sends through SES, not from its own address. */
  sendsThroughSes: boolean;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

/** Quotas and reputation at AWS and at the vendors: what fails although no code of ours does. */
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
    alarms.add('TablesThrottled', {
      severity: 'page',
      metric: sum(
        tables.flatMap((table) => [
          table.metric('ReadThrottleEvents', { period: PROMPT, statistic: 'sum' }),
          table.metric('WriteThrottleEvents', { period: PROMPT, statistic: 'sum' }),
        ]),
      ),
      periods: REPEATEDLY,
      loss: 'Users see "Something went wrong": DynamoDB refuses requests to a table.',
      look: 'See the metrics of the tables in DynamoDB: which table, reads or writes.',
    });
    alarms.add('FunctionsThrottled', {
      severity: 'page',
      // Of all functions in the account and region: they share the quota.
      metric: Function.metricAllThrottles({ period: PROMPT, statistic: 'sum' }),
      periods: REPEATEDLY,
      loss: 'Users see "Something went wrong": Lambda refuses to run more functions at once.',
      look: 'See "Concurrent executions" in Service Quotas, and the concurrency in the Lambda console.',
    });
    alarms.add('SignInsThrottled', {
      severity: 'page',
      metric: sum([
        ...['SignInThrottles', 'SignUpThrottles', 'TokenRefreshThrottles'].map((name) => this.#cognito(name)),
        ...providers.map((IdentityProvider) => this.#cognito('FederationThrottles', { IdentityProvider })),
      ]),
      periods: REPEATEDLY,
      loss: 'Users cannot sign in or sign up, or are signed out: Cognito refuses requests beyond its quota.',
      look: 'See "Amazon Cognito user pools" in Service Quotas, and the metrics of the pool.',
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
    // SES reviews an account from these rates on, and pauses it at 10 % and 0.5 %:
    // https://docs.aws.amazon.com/ses/latest/dg/reputation-dashboard-dg.html
    alarms.add('MailBounces', {
      severity: 'mail',
      metric: reputation('Reputation.BounceRate'),
      threshold: 0.05,
      loss: 'SES may pause the account: then no mail goes out, and nobody can sign up or reset a password.',
      look: 'See "Reputation metrics" in the SES console.',
    });
    alarms.add('MailComplaints', {
      severity: 'mail',
      metric: reputation('Reputation.ComplaintRate'),
      threshold: 0.001,
      loss: 'SES may pause the account: then no mail goes out, and nobody can sign up or reset a password.',
      look: 'See "Reputation metrics" in the SES console.',
    });
    alarms.add('MailPauseNear', {
      severity: 'page',
      metric: new MathExpression({
        // Four fifths of the rates at which SES pauses the account. A rate of which nothing is known counts
        // nothing: without FILL the other one would count nothing too.
        expression: 'IF(FILL(bounces, 0) >= 0.08 OR FILL(complaints, 0) >= 0.004, 1, 0)',
        usingMetrics: {
          bounces: reputation('Reputation.BounceRate'),
          complaints: reputation('Reputation.ComplaintRate'),
        },
        period: Duration.hours(1),
      }),
      loss: 'SES is about to pause the account: then no mail goes out, and nobody can sign up or reset a password.',
      look: 'See "Reputation metrics" in the SES console, and the lines mail-returned in the log of functions/events/returned-mail.ts.',
    });
    alarms.add('MailQuota', { severity: 'mail', ...this.#mailQuota() });
  }

  #mailQuota(): { metric: IMetric; threshold: number; loss: string; look: string } {
    const loss =
      'Soon nobody can sign up or reset a password today: the daily quota of mails is nearly used up.';
    if (this.#props.sendsThroughSes) {
      return {
        metric: new Metric({ namespace: 'AWS/SES', metricName: 'Send', period: DAY, statistic: 'sum' }),
        // Four fifths of 50,000 mails a day, which an account usually gets with production access.
        threshold: 40_000,
        loss,
        look: 'See "Account dashboard" in the SES console: mails of the last 24 hours, and the quota.',
      };
    }
    return {
      // Cognito calls it for each mail. Without SES it sends fifty mails a day.
      metric: this.#props.customMessage.metricInvocations({ period: DAY }),
      threshold: 40,
      loss,
      look: 'See sendsThroughSes in the settings of the stage: Cognito sends fifty mails a day by itself.',
    };
  }

  #addVendors(): void {
    const { providers, metricNamespace, alarms } = this.#props;
    alarms.add('StripeKeyRefused', {
      severity: 'page',
      metric: linesCounted('StripeKeyRefused', metricNamespace),
      loss: 'Nobody can buy, cancel or renew Plus, and no plan follows from a payment: Stripe refuses our key.',
      look: 'See "API keys" in Stripe\'s dashboard, and the secret of the stage.',
    });
    if (providers.includes('GitHub')) {
      alarms.add('GitHubSecretRefused', {
        severity: 'page',
        metric: linesCounted('GitHubSecretRefused', metricNamespace),
        loss: 'Nobody can sign in with GitHub: GitHub refuses our client secret.',
        look: 'See the OAuth app at GitHub, and the secret of the stage.',
      });
    }
    for (const provider of providers) {
      const period = Duration.hours(6);
      const federation = (statistic: string): IMetric =>
        this.#cognito('FederationSuccesses', { IdentityProvider: provider, period, statistic });
      alarms.add(`${provider}SignInFails`, {
        severity: 'page',
        metric: new MathExpression({
          // A failed federation is a datapoint of zero.
          expression: 'IF(tries >= 3 AND successes < 1, 1, 0)',
          usingMetrics: { tries: federation('n'), successes: federation('sum') },
          period,
        }),
        loss: `Nobody can sign in with ${provider}: its secret may have expired.`,
        look: `See our client at ${provider}, and the identity provider in the user pool.`,
      });
    }
  }
}

/** The sum of at most ten metrics, which is what an alarm takes. Those without data count nothing. */
function sum(metrics: readonly IMetric[]): IMetric {
  return new MathExpression({
    expression: `SUM([${metrics.map((_, index) => `m${index}`).join(', ')}])`,
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: PROMPT,
  });
}

/** SES's, of the account. */
const reputation = (metricName: string): IMetric =>
  new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: 'avg' });
