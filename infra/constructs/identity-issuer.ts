import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/**
 * What our OpenID Connect face of GitHub vouches with: the key that signs, which nobody ever holds, and the secret that Cognito
 * shows it. Both make themselves.
 */
export class IdentityIssuer extends Construct {
  readonly key: Key;
  /** Its value is an `IssuerSecret`. */
  readonly secret: Secret;

  constructor(scope: Construct, id: string, { secretName }: { secretName: string }) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Signs the ID tokens that GitHub does not issue.',
      keySpec: KeySpec.RSA_2048,
      keyUsage: KeyUsage.SIGN_VERIFY,
      // A new key costs nobody anything: tokens live for minutes, and Cognito asks for the public half.
      removalPolicy: RemovalPolicy.DESTROY,
      pendingWindow: Duration.days(7),
    });
    this.secret = new Secret(this, 'Secret', {
      secretName,
      description: 'What Cognito shows our issuer of ID tokens. Nobody has to know it.',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'clientSecret',
        excludePunctuation: true,
        passwordLength: 48,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
