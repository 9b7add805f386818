import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { IssuerSecret } from '../../../schemas/config/environment.ts';
import { generatedSecret } from '../generated-secret.ts';

/** The OpenID Connect provider for GitHub, `functions/github-oidc/`. */
export interface GitHubOidc {
  /** The issuer's address, without a trailing slash. */
  issuer: string;
  keys: GitHubOidcKeys;
}

/** The key that signs ID tokens, and the secret that Cognito authenticates with. Both are generated. */
export class GitHubOidcKeys extends Construct {
  readonly signingKey: Key;
  /** The secret's value is an `IssuerSecret`. */
  readonly secret: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.signingKey = new Key(this, 'Key', {
      description: 'Signs ID tokens for users of GitHub, which issues none.',
      keySpec: KeySpec.RSA_2048,
      keyUsage: KeyUsage.SIGN_VERIFY,
      // A lost key does no harm: tokens are valid for minutes, and Cognito reads the public key each time.
      removalPolicy: RemovalPolicy.DESTROY,
      pendingWindow: Duration.days(7),
    });
    this.secret = generatedSecret(this, 'Secret', {
      key: 'clientSecret' satisfies keyof IssuerSecret,
      description: 'What Cognito authenticates with at functions/github-oidc.',
      unrotated:
        'Cognito would have to get the new value at the same moment. It is random, and nobody ever sees it.',
    });
  }
}
