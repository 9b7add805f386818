import { Stack } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { type CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { type PoolOperation, poolOperations } from '../../../schemas/config/pool-operations.ts';
import { anyOf, type RateRule, webAcl } from './web-acl.ts';

/** Look-ups of users by their tokens, in a second, from one IP address. */
export const LOOK_UPS = 24;

export const signInAclOf = (stackName: string): string => `${stackName}-sign-in`;

const SIGN_UP: readonly PoolOperation[] = ['SignUp', 'ResendConfirmationCode'];

/**
 * Requests from one IP address in five minutes. Thirty people in a room behind one address stay below the
 * limits. A script that fills the pool, sends mail to strangers or guesses passwords of many accounts
 * doesn't. Cognito's own limits are for each account, or for all callers together.
 *
 * Our functions, which share few addresses, look up users by their tokens: `look-up` leaves them room, and no
 * rule limits the total requests of an address. WAF doesn't see their calls as administrators.
 */
const LIMITS = [
  // Each of these requests sends a mail to an address that anybody may have typed.
  { name: 'sign-up', limit: 50, operations: SIGN_UP },
  // A sign-in takes two requests. An open page renews its session every quarter of an hour.
  {
    name: 'sign-in',
    limit: 600,
    operations: ['InitiateAuth', 'RespondToAuthChallenge', 'GetTokensFromRefreshToken'],
  },
  // Two a second, of the 50 and the 25 that Cognito accepts from all callers.
  { name: 'confirm', limit: 600, operations: ['ConfirmSignUp', 'UpdateUserAttributes'] },
  // A fifth of the 120 a second that Cognito accepts from all callers.
  { name: 'look-up', limit: LOOK_UPS * 300, operations: ['GetUser'] },
] as const satisfies readonly { name: string; limit: number; operations: readonly PoolOperation[] }[];

/**
 * The user pool's web ACL. WAF sees only requests without AWS credentials, and only their headers, no user
 * names or passwords (https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-waf.html). Blocked
 * requests don't count toward Cognito's quotas. Browsers get a `ForbiddenException`, which our pages explain.
 */
export class SignInFirewall extends Construct {
  constructor(scope: Construct, id: string, pool: UserPool) {
    super(scope, id);
    const acl = webAcl(this, {
      name: signInAclOf(Stack.of(this).stackName),
      scope: 'REGIONAL',
      rateRules: LIMITS.map(({ name: rule, limit, operations }): RateRule => ({
        name: rule,
        limit,
        evaluationWindowSec: 300,
        scopeDownStatement: asksFor(operations),
      })),
      // Limited to new accounts: an owner whose IP address is listed by mistake can still sign in.
      managedRules: [
        {
          name: 'bad-addresses',
          group: 'AWSManagedRulesAmazonIpReputationList',
          scopeDownStatement: asksFor(SIGN_UP),
        },
      ],
      // With an access token a thief could delete the account, or with its password change that, and the
      // owner would get no mail. Our routes do both with AWS credentials, which WAF doesn't see.
      blockRules: [
        { name: 'other-operations', statement: { andStatement: { statements: [isApi, isOther] } } },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: pool.userPoolArn,
      webAclArn: acl.attrArn,
    });
  }
}

/**
 * Cognito's operation is in a header, after the name of the service. The service name and upper case are
 * ignored, so that every spelling that Cognito accepts counts.
 */
const asksFor = (operations: readonly PoolOperation[]): CfnWebACL.StatementProperty =>
  anyOf(
    operations.map((operation) => ({
      byteMatchStatement: {
        fieldToMatch: { singleHeader: { Name: 'x-amz-target' } },
        positionalConstraint: 'ENDS_WITH',
        // The dot matters: ConfirmSignUp and AdminInitiateAuth end with the names of other operations.
        searchString: `.${operation.toLowerCase()}`,
        textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
      },
    })),
  );

const target: Pick<CfnWebACL.RegexMatchStatementProperty, 'fieldToMatch' | 'textTransformations'> = {
  fieldToMatch: { singleHeader: { Name: 'x-amz-target' } },
  textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
};

// The hosted domain's pages and the pool's public keys have no such header, and stay open.
const isApi: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: { ...target, comparisonOperator: 'GE', size: 1 },
};

const isOther: CfnWebACL.StatementProperty = {
  notStatement: {
    statement: {
      regexMatchStatement: {
        ...target,
        regexString: `^awscognitoidentityproviderservice\\.(${Object.keys(poolOperations).join('|').toLowerCase()})$`,
      },
    },
  },
};
