import type { StackEvent } from '@aws-sdk/client-cloudformation';
import type { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailRecords } from '../../../../../infra/operate/deploy/checks/mail-records.ts';
import { signInPrefix } from '../../../../../infra/operate/deploy/checks/sign-in-prefix.ts';
import { preflight } from '../../../../../infra/operate/deploy/preflight.ts';
import { setUpStripe } from '../../../../../infra/operate/deploy/set-up-stripe.ts';
import { taxFindings } from '../../../../../infra/operate/deploy/tax-findings.ts';
import { type Records, targetOf } from '../../../../../infra/operate/deploy/target.ts';
import type { Stage } from '../../../../../infra/stages/stage.ts';
import { AwsError, type AwsAnswers, startAws } from '../../../../fixtures/aws/aws-answers.ts';
import {
  readyAccount,
  readyKeys,
  readyRecords,
  readyStage,
  resource,
} from '../../../../fixtures/aws/ready-account.ts';
import { readyOwner } from '../../../../fixtures/aws/ready-owner.ts';
import { startStripe, type StripeStandIn } from '../../../../fixtures/worlds/stripe-stand-in.ts';
import { stripeWithout } from '../../../../fixtures/aws/stripe-without-right.ts';

const SITE = 'https://www.selfsame.test';

let aws: Awaited<ReturnType<typeof startAws>>;
let stripe: StripeStandIn;
beforeAll(async () => {
  stripe = await startStripe();
  aws = await startAws({});
  vi.stubEnv('AWS_ENDPOINT_URL', aws.origin);
  vi.stubEnv('STRIPE_API', stripe.origin);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.close();
  await stripe.close();
});

let keys: Record<string, object>;
beforeEach(() => {
  keys = readyKeys('production');
  aws.calls.length = 0;
  Object.assign(aws.answers, readyAccount(keys, SITE));
});

/** The preflight's findings for production without settings, whose placeholders stay in the repository. */
async function findings(changed: AwsAnswers = {}, stage: Partial<Stage> = {}): Promise<string[]> {
  Object.assign(aws.answers, changed);
  const lines: string[] = [];
  const target = {
    ...targetOf('production', { ...readyStage, ...stage }),
    resolves: async () => false,
    records: readyRecords,
    owner: () => readyOwner,
  };
  await preflight(target, (line) => lines.push(line));
  return lines
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
    .filter((line) => !/schemas\/product\.ts|infra\/stages\/stage\.ts|Canonical links/.test(line));
}

test('an account with everything has no finding, and nothing in it is changed', async () => {
  await setUpStripe(targetOf('production', readyStage), `${SITE}/api/stripe/webhook`, () => {});
  aws.calls.length = 0;
  expect(await findings()).toEqual([]);
  expect(aws.calls.filter((call) => !/^(Get|List|Describe)/.test(call))).toEqual([]);
});

test('a site whose domain shows no wallets is told to deploy, with what Stripe says', async () => {
  const deployedAt = (site: string) => findings(readyAccount(keys, site));
  expect((await deployedAt('https://new.selfsame.test')).join('\n')).toContain(
    'warning: new.selfsame.test is not registered at Stripe: the checkout shows no Apple Pay',
  );
  await stripe.stripe.paymentMethodDomains.create({ domain_name: 'www.selfsame.invalid' });
  expect((await deployedAt('https://www.selfsame.invalid')).join('\n')).toContain(
    'Apple Pay is inactive, since Stripe says "The domain could not be reached.".',
  );
});

describe('taxes that Stripe is to compute', () => {
  const registration = { id: 'taxreg_1' } as Stripe.Tax.Registration;

  test.each<
    [string, Pick<Stripe.Tax.Settings, 'status' | 'status_details'>, Stripe.Tax.Registration[], string[]]
  >([
    [
      'with settings and a registration have no finding',
      { status: 'active', status_details: {} },
      [registration],
      [],
    ],
    [
      'without the business’s address are refused, since Stripe would refuse each checkout',
      { status: 'pending', status_details: { pending: { missing_fields: ['head_office'] } } },
      [registration],
      ['error: Stripe refuses each checkout, since Stripe Tax lacks settings: head_office.'],
    ],
    [
      'without a registration are warned of, since nothing is collected',
      { status: 'active', status_details: {} },
      [],
      ['warning: Stripe Tax knows no place where taxes are to be collected, so each invoice has none.'],
    ],
  ])('%s', (_, settings, registrations, expected) => {
    const found = taxFindings('production', settings, registrations);
    expect(found.map(({ kind, says }) => `${kind}: ${says}`)).toEqual(expected);
  });

  test('need their rights at Stripe only in a stage that sets them', async () => {
    for (const call of ['GET /v1/tax/settings', 'GET /v1/tax/registrations']) {
      const refusing = await stripeWithout(call, stripe.origin);
      vi.stubEnv('STRIPE_API', refusing.origin);
      const found = [await findings(), await findings({}, { tax: 'automatic' })];
      vi.stubEnv('STRIPE_API', stripe.origin);
      await refusing.close();
      expect(found.map((lines) => lines.join().includes('restricted key lacks a permission'))).toEqual([
        false,
        true,
      ]);
    }
    expect((await findings({}, { tax: 'automatic' })).join()).not.toContain('Stripe Tax');
  });
});

test('placeholders of the settings are errors that name their file', async () => {
  const lines: string[] = [];
  const stage: Stage = {
    ...readyStage,
    stripePublishableKey: 'pk_live_put_yours_here',
    alarmEmail: 'put_yours_here@selfsame.test',
  };
  const target = { ...targetOf('production', stage), records: readyRecords };
  const { errors } = await preflight(target, (line) => lines.push(line));
  expect(errors).toBeGreaterThan(0);
  for (const setting of ['stripePublishableKey', 'alarmEmail']) {
    expect(lines.join('\n')).toContain(
      `error: ${setting} is still a placeholder. Set it in infra/stages/production.ts.`,
    );
  }
});

test('without credentials the other checks of AWS are left out, and the way to sign in is named', async () => {
  const refuse = (): never => {
    throw new AwsError('InvalidClientTokenId', 'The security token included in the request is invalid.');
  };
  const found = await findings({ GetCallerIdentity: refuse });
  expect(found).toEqual([
    expect.stringContaining('AWS takes no credentials from here: The security token'),
    expect.stringContaining('aws configure sso'),
  ]);
  expect(aws.calls).toEqual(['GetCallerIdentity']);
});

const missing = (name: string) => (): never => {
  throw new AwsError(name, 'not found');
};
const noStack = (): never => {
  throw new AwsError('ValidationError', 'Stack with id selfsame-production does not exist');
};
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

describe('a missing thing is named with the command that fixes it:', () => {
  test.each<[string, AwsAnswers, Partial<Stage>, string, string]>([
    [
      'CDK’s bootstrap',
      { GetParameter: missing('ParameterNotFound') },
      {},
      'error: us-east-1 of this account has not been bootstrapped',
      'npx cdk bootstrap aws://123456789012/us-east-1',
    ],
    [
      'an old bootstrap',
      { GetParameter: () => ({ Parameter: { Value: '5' } }) },
      {},
      'has version 5; 6 is needed',
      'npx cdk bootstrap',
    ],
    [
      'Lambda’s quota of a new account',
      { GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 10 } }) },
      {},
      'error: Lambda runs at most 10 functions',
      '--quota-code L-B99A9384',
    ],
    [
      'Cognito’s quota of a new account, on a later page',
      {
        ListServiceQuotas: ({ NextToken }) =>
          NextToken === undefined
            ? { Quotas: [], NextToken: 'page-2' }
            : {
                Quotas: [
                  {
                    QuotaName: 'Rate of UserCreation requests',
                    QuotaCode: 'L-1',
                    Value: 5,
                    Adjustable: true,
                  },
                ],
              },
      },
      {},
      'warning: At most 5 users a second can sign up in this account; 50 is usual.',
      '--service-code cognito-idp --quota-code L-1 --desired-value 50',
    ],
    [
      'CloudFront’s verification',
      {
        ListDistributions: () => ({
          DistributionList: { Marker: '', MaxItems: 1, IsTruncated: false, Quantity: 0 },
        }),
      },
      {},
      'warning: This account has no CloudFront distribution yet',
      'open a case',
    ],
    [
      'a right to ask',
      { GetAccountSettings: missing('AccessDeniedException') },
      {},
      'warning: This could not be checked',
      'Allow the deployer',
    ],
    [
      'a verified domain',
      { GetEmailIdentity: missing('NotFoundException') },
      {},
      'error: SES has not verified selfsame.test',
      'MailRecord1 to MailRecord3',
    ],
    [
      'an identity in SES that the stack made itself',
      { ListStackResources: () => ({ StackResourceSummaries: [] }) },
      {},
      'error: SES already has the identity selfsame.test',
      'aws sesv2 delete-email-identity --region us-east-1 --email-identity selfsame.test',
    ],
    [
      'SES’s production access',
      { GetAccount: () => ({ ProductionAccessEnabled: false, SendingEnabled: true }) },
      {},
      'error: SES is in its sandbox',
      'aws sesv2 put-account-details --region us-east-1',
    ],
    [
      'the switch to SES',
      {},
      { sendsThroughSes: false },
      'error: SES is ready, and Cognito still sends its mail itself',
      'Set sendsThroughSes in infra/stages/production.ts to true.',
    ],
    [
      'a certificate',
      { DescribeCertificate: missing('ResourceNotFoundException') },
      {},
      'error: There is no certificate',
      'aws acm request-certificate --region us-east-1 --domain-name www.selfsame.test',
    ],
    [
      'the name in a certificate',
      { DescribeCertificate: () => ({ Certificate: { DomainName: 'selfsame.test', Status: 'ISSUED' } }) },
      {},
      'error: The certificate of the stage is not for www.selfsame.test.',
      'request-certificate',
    ],
    [
      'both names in a certificate',
      { DescribeCertificate: () => ({ Certificate: { DomainName: '*.selfsame.test', Status: 'ISSUED' } }) },
      {
        domain: {
          name: 'www.selfsame.test',
          also: 'selfsame.test',
          certificateArn: 'arn:aws:acm:us-east-1:1:certificate/1',
        },
      },
      'error: The certificate of the stage is not for selfsame.test.',
      '--domain-name www.selfsame.test --subject-alternative-names selfsame.test --validation-method DNS',
    ],
    [
      'a certificate’s DNS record',
      {
        DescribeCertificate: () => ({
          Certificate: {
            DomainName: '*.selfsame.test',
            Status: 'PENDING_VALIDATION',
            DomainValidationOptions: [
              {
                DomainName: 'x',
                ResourceRecord: { Name: '_a.selfsame.test', Type: 'CNAME', Value: '_b.aws' },
              },
            ],
          },
        }),
      },
      {},
      'is not issued: PENDING_VALIDATION',
      'Create the DNS record _a.selfsame.test CNAME _b.aws',
    ],
    [
      'a certificate’s DNS record, which ACM has after some seconds',
      {
        DescribeCertificate: () => ({
          Certificate: { DomainName: '*.selfsame.test', Status: 'PENDING_VALIDATION' },
        }),
      },
      {},
      'is not issued: PENDING_VALIDATION',
      'run the preflight again',
    ],
    [
      'a certificate in place of one that was never validated',
      {
        DescribeCertificate: () => ({
          Certificate: {
            DomainName: '*.selfsame.test',
            Status: 'VALIDATION_TIMED_OUT',
            DomainValidationOptions: [
              { DomainName: 'x', ResourceRecord: { Name: '_a', Type: 'CNAME', Value: '_b' } },
            ],
          },
        }),
      },
      {},
      'is not issued: VALIDATION_TIMED_OUT',
      'aws acm request-certificate',
    ],
    [
      'a domain',
      {},
      { domain: undefined } as unknown as Partial<Stage>,
      'warning: The site has no domain of its own',
      'Set domain in infra/stages/production.ts with the ARN that is printed, and run the preflight again.',
    ],
    [
      'a sign-in prefix of its own',
      { DescribeUserPoolDomain: () => ({ DomainDescription: { UserPoolId: 'us-east-1_other' } }) },
      {},
      'belongs to us-east-1_other',
      'Set another signInPrefix',
    ],
    [
      'the reason of a failed creation',
      inState('ROLLBACK_COMPLETE'),
      {},
      'warning: The first deployment of selfsame-production failed. A: Your account must be verified',
      'starts over',
    ],
    [
      'the end of a protection that traps',
      inState('ROLLBACK_COMPLETE', true),
      {},
      'error: selfsame-production was never completed and is protected',
      'update-termination-protection --no-enable-termination-protection',
    ],
    [
      'the removal of a stuck stack',
      inState('ROLLBACK_FAILED'),
      {},
      'error: selfsame-production could not be removed: ROLLBACK_FAILED',
      'aws cloudformation delete-stack',
    ],
    [
      'the end of another deployment',
      inState('UPDATE_IN_PROGRESS'),
      {},
      'error: selfsame-production is being changed right now',
      'wait',
    ],
    [
      'what became of kept tables',
      {
        DescribeStacks: noStack,
        ListTables: () => ({ TableNames: ['selfsame-production-DataUserPlans-1', 'z'] }),
        DescribeUserPoolDomain: () => ({}),
      },
      {},
      'are still there: selfsame-production-DataUserPlans-1.',
      'Adopt what was kept',
    ],
  ])('%s', async (_, changed, stage, says, fix) => {
    const found = (await findings(changed, stage)).join('\n');
    expect(found).toContain(says);
    expect(found).toContain(fix);
  });
});

describe('DNS records of mail', () => {
  const none = async (): Promise<string[]> => [];
  const spf = 'v=spf1 include:amazonses.com ~all';
  const recordFindings = (records: Partial<Records>, stage: Partial<Stage>) =>
    mailRecords({
      ...targetOf('production', { ...readyStage, ...stage }),
      records: { ...readyRecords, ...records },
    }).run();

  test.each<[string, Partial<Records>, Partial<Stage>, string, string]>([
    [
      'the server that takes bounces',
      { mx: none },
      { region: 'us-west-2' },
      'bounce.selfsame.test has no MX record.',
      'bounce.selfsame.test MX 10 feedback-smtp.us-west-2.amazonses.com',
    ],
    [
      'another server beside it',
      { mx: async () => ['feedback-smtp.us-east-1.amazonses.com', 'mx.elsewhere.test'] },
      {},
      'It needs feedback-smtp.us-east-1.amazonses.com alone',
      'bounce.selfsame.test MX 10 feedback-smtp.us-east-1.amazonses.com',
    ],
    [
      'SES in SPF',
      { txt: async () => ['v=spf1 -all', 'v=DMARC1; p=none'] },
      {},
      'bounce.selfsame.test has no SPF record with include:amazonses.com',
      'bounce.selfsame.test TXT "v=spf1 include:amazonses.com ~all"',
    ],
    [
      'a single SPF record',
      { txt: async () => [spf, 'v=spf1 -all', 'v=DMARC1; p=none'] },
      {},
      'bounce.selfsame.test has several SPF records',
      'bounce.selfsame.test TXT',
    ],
    [
      'DMARC',
      { txt: async (name) => (name === 'bounce.selfsame.test' ? [spf] : []) },
      {},
      'selfsame.test has no DMARC record',
      '_dmarc.selfsame.test TXT "v=DMARC1; p=none"',
    ],
    [
      'an answer of DNS',
      { mx: () => Promise.reject(new Error('queryMx ETIMEOUT')) },
      {},
      'DNS could not be asked: queryMx ETIMEOUT',
      'again',
    ],
  ])('are warned of with the record to create: %s', async (_, records, stage, says, fix) => {
    const [found, ...others] = await recordFindings(records, stage);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'warning' });
    expect(found?.says).toContain(says);
    expect(found?.fix).toContain(fix);
  });

  test('are asked of the domains above, for staging', async () => {
    const txt: Records['txt'] = async (name) =>
      name === '_dmarc.selfsame.test' ? ['v=DMARC1; p=reject'] : name.startsWith('_dmarc') ? [] : [spf];
    expect(await recordFindings({ txt }, { mailbox: 'no-reply@staging.selfsame.test' })).toEqual([]);
  });
});

describe('keys', () => {
  test.each<[string, (stored: Record<string, object>) => void, string]>([
    [
      'that are not stored',
      (stored) => delete stored['selfsame/production/google'],
      'The secret selfsame/production/google does not exist in us-east-1.',
    ],
    [
      'that lack a field',
      (stored) => (stored['selfsame/production/github'] = { clientId: '1' }),
      'clientSecret in selfsame/production/github is missing.',
    ],
    [
      'of Stripe’s other mode',
      (stored) => (stored['selfsame/production/stripe'] = { secretKey: 'sk_live_1' }),
      'secretKey in selfsame/production/stripe has to begin with sk_test_',
    ],
    [
      'of another Stripe account than the publishable key',
      (stored) => {
        stored['selfsame/production/stripe'] = { secretKey: `rk_test_51${'B'.repeat(15)}rest` };
      },
      `is of the Stripe account or sandbox acct_1${'B'.repeat(15)}, and stripePublishableKey of acct_1${'A'.repeat(15)}`,
    ],
    [
      'that Stripe refuses',
      (stored) => (stored['selfsame/production/stripe'] = { secretKey: 'sk_test_old' }),
      'Stripe refuses the secret key',
    ],
  ])('%s are named with the command that stores them', async (_, change, says) => {
    change(keys);
    const stripePublishableKey = `pk_test_51${'A'.repeat(15)}rest` as const;
    const found = (await findings({}, { stripePublishableKey })).join('\n');
    expect(found).toContain(says);
    expect(found).toContain('npm run ops -- secrets production');
  });

  test.each([
    'GET /v1/prices',
    'GET /v1/billing_portal/configurations',
    'GET /v1/payment_method_domains',
    'GET /v1/webhook_endpoints',
  ])('that lack Stripe’s right to %s are refused before the deployment', async (call) => {
    const refusing = await stripeWithout(call, stripe.origin);
    vi.stubEnv('STRIPE_API', refusing.origin);
    const found = await findings();
    vi.stubEnv('STRIPE_API', stripe.origin);
    await refusing.close();
    expect(found.join('\n')).toContain("error: Stripe's restricted key lacks a permission: The provided key");
  });

  test('in another region are found there', async () => {
    const { GetSecretValue } = readyAccount(keys, SITE);
    const found = await findings(
      {
        GetSecretValue: (input, call) => {
          if (call.region === 'us-west-2') throw new AwsError('ResourceNotFoundException', 'no');
          return GetSecretValue?.(input, call) ?? {};
        },
      },
      { region: 'us-west-2' },
    );
    expect(found.join('\n')).toContain('is in us-east-1, and the stage is in us-west-2.');
  });

  test('of a provider that the stage leaves out are not asked for', async () => {
    delete keys['selfsame/production/github'];
    expect((await findings({}, { providers: ['google'] })).join('\n')).not.toContain('github');
  });
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
  Object.assign(aws.answers, { DescribeUserPoolDomain: () => ({ DomainDescription: {} }) });
  const target = targetOf('production', readyStage);
  const check = signInPrefix({ ...target, resolves: async (host) => isResolved(host) });
  expect(await check.run()).toHaveLength(count);
});

describe('a restored table in the settings', () => {
  const stage = { restoredTables: { UserPlans: 'restored' } };
  const ready = {
    DescribeTable: () => ({
      Table: {
        TableStatus: 'ACTIVE' as const,
        DeletionProtectionEnabled: true,
        GlobalSecondaryIndexes: [{ IndexName: 'by_expiry' }, { IndexName: 'by_idle' }],
      },
    }),
    DescribeContinuousBackups: () => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED' as const,
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' as const },
      },
    }),
    DescribeTimeToLive: () => ({}),
  } satisfies AwsAnswers;

  test('has no finding with the settings of the stack’s own tables', async () => {
    expect((await findings(ready, stage)).filter((line) => line.includes('restored'))).toEqual([]);
  });

  test.each<[string, AwsAnswers, string]>([
    [
      'its backups',
      { DescribeContinuousBackups: () => ({ ContinuousBackupsDescription: undefined }) },
      'point-in-time recovery.',
    ],
    [
      'protection and an index',
      {
        DescribeTable: () => ({
          Table: { TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [{ IndexName: 'by_expiry' }] },
        }),
      },
      'by_idle, protection from deletion.',
    ],
    [
      'itself',
      { DescribeTable: missing('ResourceNotFoundException') },
      'everything: there is no such table.',
    ],
  ])('is refused without %s', async (_, changed, lacks) => {
    const found = await findings({ ...ready, ...changed }, stage);
    expect(found).toContain(`error: The table restored in the settings lacks ${lacks}`);
    expect(found.join()).toContain('npm run ops -- restore-table production UserPlans');
  });
});

test('a change that could empty the pool or the tables is refused if nobody can be asked', async () => {
  const found = await findings(
    { ListStackResources: missing('AccessDeniedException'), DescribeTable: missing('AccessDeniedException') },
    { userPoolNumber: 2, restoredTables: { UserPlans: 'restored' } },
  );
  expect(found.filter((line) => line.startsWith('error: This must be checked'))).toHaveLength(2);
});

test('a new stack may begin with any number of its pool', async () => {
  const found = await findings({ DescribeStacks: noStack, ListTables: () => ({}) }, { userPoolNumber: 2 });
  expect(found.join('\n')).not.toMatch(/user pool|could not be checked/);
});

test('a new, empty pool is refused while functions run that end the billing of missing users, or sign-ups are open', async () => {
  const deployed = (pool: string) => ({
    ListStackResources: () => ({
      StackResourceSummaries: [
        resource('AWS::SES::EmailIdentity', 'selfsame.test'),
        resource('AWS::Cognito::UserPool', pool, pool),
        ...[
          'ApiStripeWebhook',
          'SchedulesExpirySweep',
          'SchedulesEventCatchUp',
          'SchedulesBillingTasks',
          'SchedulesIdleAccounts',
          'SchedulesUserExport',
        ].map((id) => resource('AWS::Lambda::Function', id, `${id}0A1B2C3D`)),
      ],
    }),
  });
  const running = (count?: number) => ({
    GetFunctionConcurrency: () => (count === undefined ? {} : { ReservedConcurrentExecutions: count }),
  });
  const refusal = expect.stringContaining('npm run ops -- pause production') as string;
  const stage = { userPoolNumber: 2, signUpsClosed: true };
  const open = { userPoolNumber: 2 };
  const closing = expect.stringContaining('signUpsClosed: true') as string;
  const first = deployed('IdentityPool0A1B2C3D');
  expect(await findings({ ...first, ...running() }, stage)).toContainEqual(refusal);
  expect(await findings({ ...first, ...running(0) }, stage)).toEqual([]);
  expect(await findings({ ...first, ...running(0) }, open)).toContainEqual(closing);
  const second = deployed('IdentityPool20A1B2C3D');
  expect(await findings({ ...second, ...running() }, open)).toEqual([]);
  // In a new stack there is nobody to restore yet.
  aws.answers.DescribeStacks = noStack;
  expect(await findings({ ...first, ...running() }, open)).not.toContainEqual(refusal);
});
