import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { allowFindings } from './rule-exceptions.ts';

/**
 * A secret whose value the deployment generates: `{"<key>": "<48 letters and digits>"}`. CloudFormation
 * generates the name, so that a deleted secret doesn't block a new one. `unrotated`: why it isn't rotated.
 */
export function generatedSecret(
  scope: Construct,
  id: string,
  { key, description, unrotated }: { key: string; description: string; unrotated: string },
): Secret {
  const secret = new Secret(scope, id, {
    description: `${description} Generated.`,
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: key,
      excludePunctuation: true,
      passwordLength: 48,
    },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  allowFindings(secret, unrotated, 'SMG4');
  return secret;
}
