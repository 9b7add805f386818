import { ACMClient } from '@aws-sdk/client-acm';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import { lookup } from 'node:dns/promises';
import { product } from '../../../schemas/product/product.ts';
import type { Stage } from '../../stages/stage.ts';
import { EDGE_REGION } from '../../stages/edge-region.ts';
import { readOwner } from '../../stages/owner.ts';
import { type StageName, stages } from '../../stages/stages.ts';

/** A stage, and AWS in its region. The SDK's variable `AWS_ENDPOINT_URL` redirects every call. */
export interface Target {
  stageName: StageName;
  stage: Stage;
  stackName: string;
  acm: ACMClient;
  cloudFormation: CloudFormationClient;
  cognito: CognitoIdentityProviderClient;
  dynamodb: DynamoDBClient;
  lambda: LambdaClient;
  secrets: SecretsManagerClient;
  ses: SESv2Client;
  sts: STSClient;
  /** A client of Parameter Store, for a region. */
  ssm: (region: string) => SSMClient;
  /** Whether a host name has an address. */
  resolves: (host: string) => Promise<boolean>;
  owner: typeof readOwner;
}

// The SDK has no limit of its own. The canary, which the smoke test calls, may take a minute.
const LIMITS = {
  maxAttempts: 2,
  requestHandler: { requestTimeout: 120_000, throwOnRequestTimeout: true, socketTimeout: 120_000 },
};

export function targetOf(stageName: StageName, stage: Stage = stages[stageName]): Target {
  const settings = { ...LIMITS, region: stage.region };
  return {
    stageName,
    stage,
    stackName: `${product.slug}-${stageName}`,
    acm: new ACMClient({ ...settings, region: EDGE_REGION }),
    cloudFormation: new CloudFormationClient(settings),
    cognito: new CognitoIdentityProviderClient(settings),
    dynamodb: new DynamoDBClient(settings),
    lambda: new LambdaClient(settings),
    secrets: new SecretsManagerClient(settings),
    ses: new SESv2Client(settings),
    sts: new STSClient(settings),
    ssm: (region) => new SSMClient({ ...settings, region }),
    resolves: (host) =>
      lookup(host).then(
        () => true,
        () => false,
      ),
    owner: readOwner,
  };
}
