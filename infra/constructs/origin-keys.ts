import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { allowFindings } from './rule-exceptions.ts';

/**
 * The keys that CloudFront shows to the API with each request, so that functions refuse who calls API
 * Gateway's own address. Generated, and read by CloudFormation as it sets up CloudFront and the functions:
 * to read them at each cold start would cost a call to Secrets Manager. Whoever may read the settings of the
 * distribution or of a function sees them.
 */
export class OriginKeys extends Construct {
  /** The key that CloudFront sends. */
  readonly sent: string;
  /** All keys that functions accept, with commas between. */
  readonly accepted: string;

  /** `names`: of the keys. The first is sent, and all are accepted. */
  constructor(scope: Construct, id: string, names: readonly [string, ...string[]]) {
    super(scope, id);
    const keyOf = (name: string): string => {
      const secret = new Secret(this, name, {
        description: 'What CloudFront shows to the API. Generated.',
        generateSecretString: {
          secretStringTemplate: '{}',
          generateStringKey: 'key',
          excludePunctuation: true,
          passwordLength: 48,
        },
        removalPolicy: RemovalPolicy.DESTROY,
      });
      allowFindings(secret, 'A new key takes three deployments, which the runbook describes.', 'SMG4');
      return secret.secretValueFromJson('key').unsafeUnwrap();
    };
    const [first, ...others] = names;
    this.sent = keyOf(first);
    this.accepted = [this.sent, ...others.map(keyOf)].join(',');
  }
}
