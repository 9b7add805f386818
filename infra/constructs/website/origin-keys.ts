import { Construct } from 'constructs';
import { generatedSecret } from '../generated-secret.ts';

/**
 * The keys that CloudFront sends to the API with each request, so that functions refuse callers of API
 * Gateway's own address. The keys are generated, and CloudFormation reads them as it sets up CloudFront and
 * the functions: reading them at each cold start would cost a call to Secrets Manager. Anyone who may read
 * the settings of the distribution or of a function sees the keys.
 */
export class OriginKeys extends Construct {
  /** The key that CloudFront sends. */
  readonly sent: string;
  /** All keys that functions accept, with commas between. */
  readonly accepted: string;

  /** `names`: the keys' names. CloudFront sends the first key, and functions accept all of them. */
  constructor(scope: Construct, id: string, names: readonly [string, ...string[]]) {
    super(scope, id);
    const keyOf = (name: string): string => {
      const secret = generatedSecret(this, name, {
        key: 'key',
        description: 'What CloudFront shows to the API.',
        unrotated: 'A new key takes three deployments, which the runbook describes.',
      });
      return secret.secretValueFromJson('key').unsafeUnwrap();
    };
    const [first, ...others] = names;
    this.sent = keyOf(first);
    this.accepted = [this.sent, ...others.map(keyOf)].join(',');
  }
}
