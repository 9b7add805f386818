import { expect, test } from 'vitest';
import { targetOf } from '../../../../../infra/operate/support/target.ts';
import { useAws } from '../../../../fixtures/aws/use-aws.ts';

const outputs: Record<string, string> = {
  UserPoolId: 'us-east-1_pool',
  UserPlansTable: 'plans',
  StripeWorkTable: 'work',
  WaitlistTable: 'waitlist',
  AddressChangesTable: 'changes',
  AppSessionsTable: 'sessions',
  SupportAuditTable: 'audit',
};

const aws = useAws({
  DescribeStacks: ({ StackName }) => ({
    Stacks: [
      {
        StackName,
        CreationTime: new Date(0),
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  }),
  GetCallerIdentity: () => ({ Arn: 'arn:aws:sts::123456789012:assumed-role/support/eve' }),
});

test('a stage is found by the outputs of its stack, and names itself and the caller', async () => {
  const variables: Record<string, string | undefined> = { AWS_REGION: 'eu-west-1' };
  const { who, now, ...target } = await targetOf('production', variables);
  expect(now.getTime()).toBeLessThanOrEqual(Date.now());
  expect(target).toEqual({
    title: 'Stage production: the stack selfsame-production in us-east-1',
    name: 'production',
    stage: 'production',
    tables: {
      UserPlans: 'plans',
      StripeWork: 'work',
      Waitlist: 'waitlist',
      AddressChanges: 'changes',
      AppSessions: 'sessions',
      SupportAudit: 'audit',
    },
    poolId: 'us-east-1_pool',
    sendsThroughSes: false,
    stripeApi: 'https://api.stripe.com',
    stripeSecretId: 'selfsame/production/stripe',
  });
  // The adapters' clients take it from here.
  expect(variables['AWS_REGION']).toBe('us-east-1');
  expect(await who()).toBe('arn:aws:sts::123456789012:assumed-role/support/eve');
});

test('a stack without the tables’ outputs is to be deployed again', async () => {
  const { SupportAuditTable: audit = '' } = outputs;
  delete outputs['SupportAuditTable'];
  await expect(targetOf('staging', {})).rejects.toThrow(
    'The stack selfsame-staging lacks the outputs SupportAuditTable: npm run deploy:staging adds them.',
  );
  outputs['SupportAuditTable'] = audit;
});

test.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB'])(
  'a stage is not looked for where %s leads',
  async (name) => {
    const calls = aws.calls.length;
    await expect(targetOf('staging', { [name]: 'http://localhost:1' })).rejects.toThrow(
      `These variables redirect calls to AWS. Unset them: ${name}.`,
    );
    expect(aws.calls).toHaveLength(calls);
  },
);

test('a local product that does not run is said to be so', async () => {
  await expect(targetOf('local', { SELFSAME_PORT: '1' })).rejects.toThrow('npm start starts it');
});
