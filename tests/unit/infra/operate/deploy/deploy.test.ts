import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deploy, nextSteps } from '../../../../../infra/operate/deploy/deploy.ts';
import { targetOf } from '../../../../../infra/operate/deploy/target.ts';
import { product } from '../../../../../schemas/product/product.ts';
import { type AwsAnswers, AwsError } from '../../../../fixtures/aws/aws-answers.ts';
import { readyAccount, readyKeys, readyStage, resource } from '../../../../fixtures/aws/ready-account.ts';
import { readyOwner } from '../../../../fixtures/aws/ready-owner.ts';
import { startStripe, type StripeStandIn } from '../../../../fixtures/worlds/stripe-stand-in.ts';
import { stripeWithout } from '../../../../fixtures/aws/stripe-without-right.ts';
import { useAws } from '../../../../fixtures/aws/use-aws.ts';

const target = {
  ...targetOf('production', readyStage),
  resolves: async () => false,
  owner: () => readyOwner,
};

const aws = useAws();
let stripe: StripeStandIn;
let keys: Record<string, object>;
beforeEach(async () => {
  keys = readyKeys('production');
  Object.assign(aws.answers, readyAccount(keys, 'https://www.selfsame.test'));
  stripe = await startStripe();
  vi.stubEnv('STRIPE_API', stripe.origin);
  return () => stripe.close();
});

interface DeployOptions {
  problems?: string[];
  works?: boolean;
  override?: string;
  target?: typeof target;
  parameters?: string[];
  back?: () => Promise<void>;
}

const endpoints = async () => (await stripe.stripe.webhookEndpoints.list()).data;

describe('a deployment', () => {
  const noStack = (): never => {
    throw new AwsError('ValidationError', 'Stack with id selfsame-production does not exist');
  };
  // The product's own settings are placeholders in this repository.
  beforeEach(() => {
    const settings = { ...product };
    Object.assign(product, {
      siteOrigin: 'https://www.selfsame.test',
      supportEmail: 'support@selfsame.test',
      mailDomain: 'selfsame.test',
      downloadUrl: 'https://www.selfsame.test/mac',
      templateFormUrl: 'https://www.selfsame.test/form',
    });
    return () => {
      Object.assign(product, settings);
    };
  });

  const deployed = async (
    exitCodes: number[] = [0, 0],
    { problems = [], works = true, ...options }: DeployOptions = {},
  ) => {
    const runs: string[] = [];
    const said: string[] = [];
    const succeeded = await deploy({
      target,
      checkout: { commit: 'abc', problems },
      smoke: async () => works,
      ...options,
      run: async (parameters) => {
        runs.push(parameters.join(' '));
        // Once CDK has run, there is a stack.
        Object.assign(aws.answers, readyAccount(keys, 'https://www.selfsame.test'));
        return exitCodes[runs.length - 1] ?? 1;
      },
      say: (line) => said.push(line),
    });
    return { succeeded, runs, said: said.join('\n') };
  };
  const newAccount: AwsAnswers = {
    DescribeStacks: noStack,
    ListTables: () => ({ TableNames: [] }),
    DescribeUserPoolDomain: () => ({}),
    GetEmailIdentity: () => {
      throw new AwsError('NotFoundException', 'There is no such identity.');
    },
  };
  const beforeSes = { target: { ...target, stage: { ...readyStage, sendsThroughSes: false } } };
  const first = '--context selfsame:first=production';
  const command =
    'deploy selfsame-production --context selfsame:googleSecretVersion=version-1 --context selfsame:commit=abc';

  test.each([true, false])('that is the first changes the stage once it exists', async (keepsData) => {
    Object.assign(aws.answers, newAccount);
    const stage = { ...beforeSes.target.stage, keepsData };
    const { succeeded, runs } = await deployed([0, 0], { target: { ...target, stage } });
    expect({ succeeded, runs }).toEqual({ succeeded: true, runs: [`${command} ${first}`, command] });
  });

  test('that fails stops there: no protection, and nothing in Stripe', async () => {
    Object.assign(aws.answers, newAccount);
    const { succeeded, runs } = await deployed([1], beforeSes);
    expect({ succeeded, runs }).toEqual({ succeeded: false, runs: [`${command} ${first}`] });
    expect(await endpoints()).toEqual([]);
  });

  test('of a stage that exists has one pass, and says every record and address', async () => {
    const { succeeded, runs, said } = await deployed([0]);
    expect({ succeeded, runs }).toEqual({ succeeded: true, runs: [command] });
    expect(said).toContain("Google, the OAuth client's Authorized redirect URI");
    expect(said).toContain('www.selfsame.test CNAME (or ALIAS)');
    expect(said).toContain("Stripe, the account's API version: 2026-10-28.endive, or a later one.");
    expect(await endpoints()).toHaveLength(1);
  });

  test('whose restricted key lacks a right says every record all the same, and what Stripe refuses', async () => {
    const refusing = await stripeWithout('POST /v1/webhook_endpoints', stripe.origin);
    vi.stubEnv('STRIPE_API', refusing.origin);
    const { succeeded, said } = await deployed([0]);
    await refusing.close();
    expect(succeeded).toBe(false);
    expect(said).toContain('www.selfsame.test CNAME (or ALIAS)');
    expect(said).toMatch(
      /Stripe is not set up, .+ does not have the required permissions .+ npm run deploy:production$/,
    );
  });

  test('stops before the stack if Stripe refuses to create its prices', async () => {
    const [price] = (await stripe.stripe.prices.list()).data;
    await stripe.stripe.prices.update(String(price?.id), { active: false, lookup_key: 'replaced' });
    const refusing = await stripeWithout('POST /v1/prices', stripe.origin);
    vi.stubEnv('STRIPE_API', refusing.origin);
    const { succeeded, runs, said } = await deployed([0]);
    await refusing.close();
    expect({ succeeded, runs }).toEqual({ succeeded: false, runs: [] });
    expect(said).toMatch(/Nothing is deployed, since Stripe refuses: .+ npm run deploy:production$/);
  });

  test('names each record of mail as the README does', () => {
    const record = '_dmarc.selfsame.test TXT "v=DMARC1; p=none"';
    expect(nextSteps(target, { MailRecord6: record })).toContain(`  MailRecord6: ${record}`);
  });

  test('is watched by the alarms that exist, unless the deployer names others', async () => {
    const withAlarm = () => ({
      StackResourceSummaries: [
        resource('AWS::SES::EmailIdentity', 'selfsame.test'),
        resource('AWS::CloudWatch::Alarm', 'selfsame-production-SiteDown', 'AlarmsSiteDown'),
      ],
    });
    aws.answers.ListStackResources = withAlarm;
    const arn = 'arn:aws:cloudwatch:us-east-1:123456789012:alarm:selfsame-production-SiteDown';
    const triggers = `--rollback-trigger-alarm-arns ${arn}`;
    expect((await deployed([0])).runs).toEqual([`${command} ${triggers}`]);
    const none = ['--rollback-trigger-alarm-arns', 'none'];
    expect((await deployed([0], { parameters: none })).runs).toEqual([`${command} ${none.join(' ')}`]);

    // The stack of the web ACL is in us-east-1, where a stage's alarms aren't.
    aws.answers.ListStackResources = withAlarm;
    const elsewhere = { ...target, stage: { ...readyStage, region: 'us-west-2' as const } };
    const [edge, main] = (await deployed([0, 0], { target: elsewhere })).runs;
    expect(edge).toMatch(/^deploy selfsame-production-edge (?!.*--rollback)/);
    expect(main).toMatch(/^deploy selfsame-production .*--exclusively --rollback-trigger-alarm-arns arn/);
  });

  test('fails if the stage does not work afterwards, names the way back, and goes it', async () => {
    const back = vi.fn(async () => {});
    const { succeeded, said } = await deployed([0], { works: false, back });
    expect(succeeded).toBe(false);
    expect(said).toMatch(/npm run ops -- roll-back production$/);
    expect(back).toHaveBeenCalledOnce();
  });

  test('does not go back further from a way back, nor from the first deployment', async () => {
    const back = vi.fn(async () => {});
    const parameters = ['--rollback-trigger-alarm-arns', 'none'];
    expect((await deployed([0], { works: false, back, parameters })).succeeded).toBe(false);
    Object.assign(aws.answers, newAccount);
    expect((await deployed([0, 0], { ...beforeSes, works: false, back })).succeeded).toBe(false);
    expect(back).not.toHaveBeenCalled();
  });

  test('of code that nobody reviewed is not begun', async () => {
    const { succeeded, runs, said } = await deployed([0], { problems: ['The commit is no release.'] });
    expect({ succeeded, runs }).toEqual({ succeeded: false, runs: [] });
    expect(said).toContain('npm run deploy:production -- --override');
  });

  test('of such code in an emergency is put on record with its reason before it begins', async () => {
    const lines: string[] = [];
    aws.answers.PutItem = ({ Item }) => {
      const { action, state, reason, who } = Item as Record<string, { S: string }>;
      lines.push([action, state, reason, who].map((value) => value?.S).join(' '));
      return {};
    };
    const options = { problems: ['The commit is no release.'], override: 'key leaked' };
    expect((await deployed([0], options)).succeeded).toBe(true);
    expect(lines).toEqual(['deploy begun key leaked arn:me', 'deploy done key leaked arn:me']);
  });

  test('is not begun if the preflight finds an error', async () => {
    delete keys['selfsame/production/google'];
    expect(await deployed()).toMatchObject({ succeeded: false, runs: [] });
  });
});
