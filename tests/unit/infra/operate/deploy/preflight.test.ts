import type { CertificateDetail, DomainValidation } from '@aws-sdk/client-acm';
import type { StackEvent } from '@aws-sdk/client-cloudformation';
import { describe, expect, test, vi } from 'vitest';
import { signInPrefix } from '../../../../../infra/operate/deploy/checks/sign-in-prefix.ts';
import { targetOf } from '../../../../../infra/operate/deploy/target.ts';
import type { Stage } from '../../../../../infra/stages/stage.ts';
import type { AwsAnswers } from '../../../../fixtures/aws/aws-answers.ts';
import { readyStage } from '../../../../fixtures/aws/ready-account.ts';
import { noStack, preflightAccount, refused } from './preflight-account.ts';

const { answer, calls, findings } = preflightAccount();

test('an account with everything has no finding, and nothing in it is changed', async () => {
  expect(await findings()).toEqual([]);
  expect(calls().filter((call) => !/^(Get|List|Describe)/.test(call))).toEqual([]);
});

test('a placeholder of the settings is an error that names its file', async () => {
  const found = await findings({}, { alarmEmail: 'put_yours_here@selfsame.test' });
  expect(found).toContain('error: alarmEmail is still a placeholder. Set it in infra/stages/production.ts.');
});

test('without credentials the other checks of AWS are left out, and the way to sign in is named', async () => {
  const invalid = refused('InvalidClientTokenId', 'The security token included in the request is invalid.');
  const found = await findings({ GetCallerIdentity: invalid });
  expect(found).toEqual([
    expect.stringContaining('AWS takes no credentials from here: The security token'),
    expect.stringContaining('aws configure sso'),
  ]);
  expect(calls()).toEqual(['GetCallerIdentity']);
});

const failureOf = (LogicalResourceId: string, ResourceStatusReason: string): StackEvent => ({
  StackId: 'stack',
  EventId: LogicalResourceId,
  StackName: 'selfsame-production',
  Timestamp: new Date(0),
  ResourceStatus: 'CREATE_FAILED',
  LogicalResourceId,
  ResourceStatusReason,
});
const inState = (
  StackStatus: 'ROLLBACK_COMPLETE' | 'ROLLBACK_FAILED' | 'UPDATE_IN_PROGRESS',
  isProtected = false,
) =>
  ({
    DescribeStacks: () => ({
      Stacks: [
        {
          StackName: 'selfsame-production',
          CreationTime: new Date(0),
          StackStatus,
          EnableTerminationProtection: isProtected,
        },
      ],
    }),
    DescribeStackEvents: () => ({
      // Newest first.
      StackEvents: [
        failureOf('B', 'Resource creation cancelled'),
        failureOf('A', 'Your account must be verified'),
      ],
    }),
    DescribeUserPoolDomain: () => ({ DomainDescription: {} }),
  }) satisfies AwsAnswers;

const certificate = (fields: CertificateDetail) => () => ({
  Certificate: { DomainName: '*.selfsame.test', Status: 'ISSUED' as const, ...fields },
});
const records: DomainValidation[] = [
  { DomainName: 'x', ResourceRecord: { Name: '_a.selfsame.test', Type: 'CNAME', Value: '_b.aws' } },
];

describe('a missing thing is named with the command that fixes it:', () => {
  test.each<[string, string, string, AwsAnswers, Partial<Stage>?]>([
    [
      'CDK’s bootstrap',
      'error: us-east-1 of this account has not been bootstrapped',
      'npx cdk bootstrap aws://123456789012/us-east-1',
      { GetParameter: refused('ParameterNotFound') },
    ],
    [
      'an old bootstrap',
      'has version 5; 6 is needed',
      'npx cdk bootstrap',
      { GetParameter: () => ({ Parameter: { Value: '5' } }) },
    ],
    [
      'Lambda’s quota of a new account',
      'error: Lambda runs at most 10 functions',
      '--quota-code L-B99A9384',
      { GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 10 } }) },
    ],
    [
      'a right to ask',
      'warning: This could not be checked',
      'Allow the deployer',
      { GetAccountSettings: refused('AccessDeniedException') },
    ],
    [
      'a verified domain',
      'error: SES has not verified selfsame.test',
      'MailRecord1 to MailRecord3',
      { GetEmailIdentity: refused('NotFoundException') },
    ],
    [
      'an identity in SES that the stack made itself',
      'error: SES already has the identity selfsame.test',
      'aws sesv2 delete-email-identity --region us-east-1 --email-identity selfsame.test',
      { ListStackResources: () => ({ StackResourceSummaries: [] }) },
    ],
    [
      'SES’s production access',
      'error: SES is in its sandbox',
      'aws sesv2 put-account-details --region us-east-1',
      { GetAccount: () => ({ ProductionAccessEnabled: false, SendingEnabled: true }) },
    ],
    [
      'the switch to SES',
      'error: SES is ready, and Cognito still sends its mail itself',
      'Set sendsThroughSes in infra/stages/production.ts to true.',
      {},
      { sendsThroughSes: false },
    ],
    [
      'a certificate',
      'error: There is no certificate',
      'aws acm request-certificate --region us-east-1 --domain-name www.selfsame.test',
      { DescribeCertificate: refused('ResourceNotFoundException') },
    ],
    [
      'the name in a certificate',
      'error: The certificate of the stage is not for www.selfsame.test.',
      'request-certificate',
      { DescribeCertificate: certificate({ DomainName: 'selfsame.test' }) },
    ],
    [
      'both names in a certificate',
      'error: The certificate of the stage is not for selfsame.test.',
      '--domain-name www.selfsame.test --subject-alternative-names selfsame.test --validation-method DNS',
      { DescribeCertificate: certificate({}) },
      {
        domain: {
          name: 'www.selfsame.test',
          also: 'selfsame.test',
          certificateArn: 'arn:aws:acm:us-east-1:1:certificate/1',
        },
      },
    ],
    [
      'a certificate’s DNS record',
      'is not issued: PENDING_VALIDATION',
      'Create the DNS record _a.selfsame.test CNAME _b.aws',
      {
        DescribeCertificate: certificate({ Status: 'PENDING_VALIDATION', DomainValidationOptions: records }),
      },
    ],
    [
      'a certificate’s DNS record, which ACM has after some seconds',
      'is not issued: PENDING_VALIDATION',
      'run the preflight again',
      { DescribeCertificate: certificate({ Status: 'PENDING_VALIDATION' }) },
    ],
    [
      'a certificate in place of one that was never validated',
      'is not issued: VALIDATION_TIMED_OUT',
      'aws acm request-certificate',
      {
        DescribeCertificate: certificate({
          Status: 'VALIDATION_TIMED_OUT',
          DomainValidationOptions: records,
        }),
      },
    ],
    [
      'a domain',
      'warning: The site has no domain of its own',
      'Set domain in infra/stages/production.ts with the ARN that is printed, and run the preflight again.',
      {},
      { domain: undefined } as unknown as Partial<Stage>,
    ],
    [
      'a sign-in prefix of its own',
      'belongs to us-east-1_other',
      'Set another signInPrefix',
      { DescribeUserPoolDomain: () => ({ DomainDescription: { UserPoolId: 'us-east-1_other' } }) },
    ],
    [
      'the reason of a failed creation',
      'warning: The first deployment of selfsame-production failed. A: Your account must be verified',
      'starts over',
      inState('ROLLBACK_COMPLETE'),
    ],
    [
      'the end of a protection that traps',
      'error: selfsame-production was never completed and is protected',
      'update-termination-protection --no-enable-termination-protection',
      inState('ROLLBACK_COMPLETE', true),
    ],
    [
      'the removal of a stuck stack',
      'error: selfsame-production could not be removed: ROLLBACK_FAILED',
      'aws cloudformation delete-stack',
      inState('ROLLBACK_FAILED'),
    ],
    [
      'the end of another deployment, or how to cancel it',
      'error: selfsame-production is being changed right now',
      'npm run ops -- roll-back production',
      inState('UPDATE_IN_PROGRESS'),
    ],
    [
      'what became of kept tables',
      'are still there: selfsame-production-DataUserPlans-1.',
      'Adopt what was kept',
      {
        DescribeStacks: noStack,
        ListTables: () => ({ TableNames: ['selfsame-production-DataUserPlans-1', 'z'] }),
        DescribeUserPoolDomain: () => ({}),
      },
    ],
  ])('%s', async (_, says, fix, changed, stage) => {
    const found = (await findings(changed, stage)).join('\n');
    expect(found).toContain(says);
    expect(found).toContain(fix);
  });
});

test('a umask that keeps Lambda from reading its code is an error', async () => {
  const umask = vi.spyOn(process, 'umask').mockReturnValue(0o077);
  const found = await findings({});
  umask.mockRestore();
  expect(found.join('\n')).toMatch(/error: .+ Lambda could not read its code\.\n\s*umask 022/);
});

test.each([
  [
    'taken, if its address resolves and an impossible one does not',
    (host: string) => host.startsWith('selfsame'),
    1,
  ],
  ['free, if its address does not resolve', () => false, 0],
  ['not known to be taken, if every address resolves', () => true, 0],
])('a sign-in prefix of no pool of ours is %s', async (_, isResolved, count) => {
  answer({ DescribeUserPoolDomain: () => ({ DomainDescription: {} }) });
  const target = targetOf('production', readyStage);
  const check = signInPrefix({ ...target, resolves: async (host) => isResolved(host) });
  expect(await check.run()).toHaveLength(count);
});
