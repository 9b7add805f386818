import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { userInfo } from 'node:os';
import * as z from 'zod/mini';
import { product } from '../../../schemas/product/product.ts';
import { Timestamp } from '../../../schemas/rows/plan.ts';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { QUICK, WITH_TRIGGERS } from '../../../functions/adapters/request-limits.ts';
import { outputsOf } from '../deploy/stack-state.ts';
import { startOptions } from '../../local/world/options.ts';
import { secretNames } from '../../stages/secret-names.ts';
import { type StageName, stages } from '../../stages/stages.ts';
import { type SupportTable, supportTables } from '../../constructs/identity/support-tables.ts';
import { isLogicalIdOf } from '../deploy/stack-resources.ts';

/** The stage or the local product that commands work on. */
export interface Target {
  /** The first line of the output. */
  title: string;
  /** The target's name, which is part of a file's name. */
  name: StageName | 'local';
  /** The stage in the mark of our objects at Stripe. */
  stage: string;
  tables: Readonly<Record<SupportTable, string>>;
  poolId: string;
  /** Whether codes are mailed through our account at SES. */
  sendsThroughSes: boolean;
  /** Origin of Stripe's API. */
  stripeApi: string;
  stripeSecretId: string;
  now: Date;
  /** Who runs the command: an ARN, or the user of this machine. */
  who: () => Promise<string>;
}

type Variables = Record<string, string | undefined>;

/**
 * Finds a stage by its stack, or the local product at its port. Sets the variables that the AWS SDK's clients
 * read when they are created, so import adapters of `functions/` afterwards.
 */
export const targetOf = (at: StageName | 'local', variables: Variables): Promise<Target> =>
  at === 'local' ? localTarget(variables) : stageTarget(at, variables);

const tablesBy = (nameOf: (table: SupportTable) => string): Target['tables'] =>
  Object.fromEntries(supportTables.map((table) => [table, nameOf(table)])) as Target['tables'];

/** With one of these variables, the commands would call another machine in place of the stage. */
function refuseOtherEndpoints(variables: Variables): void {
  const names = Object.keys(variables).filter(
    (name) => name.startsWith('AWS_ENDPOINT_URL') && variables[name] !== undefined && variables[name] !== '',
  );
  if (names.length > 0) {
    throw new Error(`These variables redirect calls to AWS. Unset them: ${names.join(', ')}.`);
  }
}

async function stageTarget(stageName: StageName, variables: Variables): Promise<Target> {
  const { region, sendsThroughSes } = stages[stageName];
  refuseOtherEndpoints(variables);
  variables['AWS_REGION'] = region;
  const stack = `${product.slug}-${stageName}`;
  const cloudFormation = new CloudFormationClient({ ...WITH_TRIGGERS, region });
  const outputs = await outputsOf({ cloudFormation, stackName: stack });
  const names = ['UserPoolId', ...supportTables.map((table) => `${table}Table`)];
  const missing = names.filter((name) => outputs[name] === undefined);
  if (missing.length > 0) {
    throw new Error(
      `The stack ${stack} lacks the outputs ${missing.join(', ')}: npm run deploy:${stageName} adds them.`,
    );
  }
  return {
    title: `Stage ${stageName}: the stack ${stack} in ${region}`,
    name: stageName,
    stage: stageName,
    tables: tablesBy((table) => outputs[`${table}Table`] ?? ''),
    poolId: outputs['UserPoolId'] ?? '',
    sendsThroughSes,
    stripeApi: 'https://api.stripe.com',
    stripeSecretId: secretNames(stageName).stripe,
    now: new Date(),
    who: async () => {
      const { Arn } = await new STSClient({ ...QUICK, region }).send(new GetCallerIdentityCommand({}));
      if (Arn === undefined) throw new Error('AWS does not say who you are.');
      return Arn;
    },
  };
}

const Endpoints = z.object({
  cognito: z.string(),
  dynamodb: z.string(),
  ses: z.string(),
  stage: z.string(),
  secretsManager: z.string(),
  stripe: z.nullable(z.string()),
});

async function localTarget(variables: Variables): Promise<Target> {
  const origin = `http://localhost:${startOptions([], variables).port}`;
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(origin + path, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
    if (!answer?.ok) throw new Error(`The local product does not run at ${origin}: npm start starts it.`);
    return answer.json();
  };
  const [endpoints, config, names, clock] = await Promise.all([
    read('/__local/endpoints').then((answer) => Endpoints.parse(answer)),
    read('/config.json').then((answer) => SiteConfig.parse(answer)),
    read('/__local/tables').then((answer) => z.array(z.string()).parse(answer)),
    read('/__local/clock').then((answer) => z.object({ now: Timestamp }).parse(answer)),
  ]);
  // The SDK prefers a profile to keys. A session token belongs to other keys. The last variable makes the SDK
  // ignore the addresses below.
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS']) {
    delete variables[name];
  }
  Object.assign(variables, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoints.cognito,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
    AWS_ENDPOINT_URL_SESV2: endpoints.ses,
  });
  const table = (id: SupportTable): string => {
    const found = names.find((name) => isLogicalIdOf(`Data${id}`, name.slice(name.lastIndexOf('-') + 1)));
    if (found === undefined) throw new Error(`The local product has no table ${id}.`);
    return found;
  };
  return {
    title: `The local product at ${origin}`,
    name: 'local',
    stage: endpoints.stage,
    tables: tablesBy(table),
    poolId: config.userPoolId,
    sendsThroughSes: true,
    stripeApi: endpoints.stripe ?? 'https://api.stripe.com',
    stripeSecretId: secretNames('staging').stripe,
    now: new Date(clock.now),
    who: async () => `local:${userInfo().username}`,
  };
}
