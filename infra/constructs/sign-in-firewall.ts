import { Stack } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { type CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { type Alarms, REPEATEDLY } from './alarms.ts';
import { type RateRule, requestsBlocked, webAcl } from './web-acl.ts';

// Blocked requests in five minutes.
const MANY_BLOCKED = 100;

const SIGN_UP = ['SignUp', 'ResendConfirmationCode'];

/**
 * From one IP address in five minutes. Thirty people in a room behind one address stay below. A script that
 * fills the pool, has mail sent to strangers or tries passwords of many accounts doesn't: Cognito's own
 * limits are for each account, or for all callers together.
 *
 * Nothing limits all requests of an address: our functions ask Cognito for users by their tokens, with many
 * requests from few addresses.
 */
const LIMITS = [
  // Each is a mail to an address that anybody may have typed.
  { name: 'sign-up', limit: 50, operations: SIGN_UP },
  { name: 'reset', limit: 30, operations: ['ForgotPassword'] },
  // A sign-in takes two requests.
  { name: 'sign-in', limit: 300, operations: ['InitiateAuth', 'RespondToAuthChallenge'] },
] as const;

/**
 * The user pool's web ACL. WAF sees requests without AWS credentials, and of these the headers, but neither
 * user names nor passwords (https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-waf.html). What it blocks
 * costs nothing of Cognito's quotas. Browsers get a `ForbiddenException`, which has a sentence on our pages.
 */
export class SignInFirewall extends Construct {
  constructor(scope: Construct, id: string, { pool, alarms }: { pool: UserPool; alarms: Alarms }) {
    super(scope, id);
    const { region, stackName } = Stack.of(this);
    const name = `${stackName}-sign-in`;
    const acl = webAcl(this, {
      name,
      scope: 'REGIONAL',
      rateRules: LIMITS.map(({ name: rule, limit, operations }): RateRule => ({
        name: rule,
        limit,
        evaluationWindowSec: 300,
        scopeDownStatement: asksFor(operations),
      })),
      // Only new accounts: an owner whose address is on the list by mistake can still sign in.
      managedRules: [
        {
          name: 'bad-addresses',
          group: 'AWSManagedRulesAmazonIpReputationList',
          scopeDownStatement: asksFor(SIGN_UP),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: pool.userPoolArn,
      webAclArn: acl.attrArn,
    });
    alarms.add('SignInsBlocked', {
      severity: 'mail',
      metric: requestsBlocked(name, region),
      threshold: MANY_BLOCKED,
      periods: REPEATEDLY,
      loss: 'Users who share an address with the sender of many requests can not sign up, sign in or reset a password.',
      look: 'See the web ACL of the user pool in the WAF console: which rule blocks.',
    });
  }
}

/**
 * Cognito's operation is in a header, behind the name of its service. That name and the case of letters
 * aren't compared: a spelling that Cognito takes nevertheless is counted too.
 */
function asksFor(operations: readonly string[]): CfnWebACL.StatementProperty {
  const [first, ...others] = operations.map((operation): CfnWebACL.StatementProperty => ({
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: 'x-amz-target' } },
      positionalConstraint: 'ENDS_WITH',
      // With the dot: ConfirmSignUp and AdminInitiateAuth end with other operations' names.
      searchString: `.${operation.toLowerCase()}`,
      textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
    },
  }));
  if (!first) throw new Error('A rule needs an operation.');
  // WAF refuses an OR of one statement.
  return others.length === 0 ? first : { orStatement: { statements: [first, ...others] } };
}
