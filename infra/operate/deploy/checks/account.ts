import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { type Check, CREDENTIALS, error, type Finding, warning } from '../check.ts';
import { sentenceOf } from '../sentence-of.ts';
import { EDGE_REGION } from '../../../stages/edge-region.ts';
import type { Target } from '../target.ts';

export const credentials = ({ sts }: Target): Check => ({
  name: CREDENTIALS,
  needsCredentials: false,
  async run() {
    try {
      await sts.send(new GetCallerIdentityCommand());
      return [];
    } catch (thrown) {
      return [
        error(
          `AWS takes no credentials from here: ${sentenceOf(thrown)}`,
          'aws configure sso   # then set AWS_PROFILE; or export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
        ),
      ];
    }
  },
});

// The CDK CLI refuses older versions for assets ("Bootstrap versions", CDK guide).
const BOOTSTRAP_VERSION = 6;

/** CDK's bucket and roles, in the stage's region and in its web ACL's region. */
export const bootstrap = ({ stage, ssm, sts }: Target): Check => ({
  name: 'CDK bootstrap',
  needsCredentials: true,
  async run() {
    const { Account } = await sts.send(new GetCallerIdentityCommand());
    const findings: Finding[] = [];
    for (const region of new Set([stage.region, EDGE_REGION])) {
      const version = await bootstrapVersion(ssm(region));
      if (version >= BOOTSTRAP_VERSION) continue;
      const says =
        version === 0
          ? `${region} of this account has not been bootstrapped for CDK.`
          : `The CDK bootstrap of ${region} has version ${version}; ${BOOTSTRAP_VERSION} is needed.`;
      findings.push(error(says, `npx cdk bootstrap aws://${Account}/${region}`));
    }
    return findings;
  },
});

async function bootstrapVersion(ssm: ReturnType<Target['ssm']>): Promise<number> {
  try {
    const { Parameter } = await ssm.send(
      new GetParameterCommand({ Name: '/cdk-bootstrap/hnb659fds/version' }),
    );
    return Number(Parameter?.Value ?? 0);
  } catch (thrown) {
    if (thrown instanceof ParameterNotFound) return 0;
    throw thrown;
  }
}

// Most requests take less than a tenth of a second: enough for a thousand a second.
const CONCURRENT_EXECUTIONS = 100;

export const lambdaQuota = ({ lambda, stage }: Target): Check => ({
  name: 'Lambda quota',
  needsCredentials: true,
  async run() {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    if (limit >= CONCURRENT_EXECUTIONS) return [];
    const finding = stage.keepsData ? error : warning;
    return [
      finding(
        `Lambda runs at most ${limit} functions at a time in this account; with more, users get errors.`,
        `aws service-quotas request-service-quota-increase --region ${stage.region} --service-code lambda --quota-code L-B99A9384 --desired-value 1000`,
      ),
    ];
  },
});
