import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { allowFindings } from '../rule-exceptions.ts';

/** The OpenID Connect provider for GitHub, `functions/github-oidc/`. */
export interface GitHubOidc {
  /** The issuer's address, without a trailing slash. */
  issuer: string;
  keys: GitHubOidcKeys;
}

/**
 * The keys of the OpenID Connect provider for GitHub (`functions/github-oidc/`): the key that signs ID
 * tokens, and the secret that Cognito authenticates with. The deployment generates both.
 */
export class GitHubOidcKeys extends Construct {
  readonly signingKey: Key;
  /**
   * The secret's value is an `IssuerSecret`. CloudFormation generates the name, so that a deleted secret
   * doesn't block a new one.
   */
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
    this.secret = new Secret(this, 'Secret', {
      description: 'What Cognito authenticates with at functions/github-oidc. Generated.',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'clientSecret',
        excludePunctuation: true,
        passwordLength: 48,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    allowFindings(
      this.secret,
      'Cognito would have to get the new value at the same moment. It is random, and nobody ever sees it.',
      'SMG4',
    );
  }
}
