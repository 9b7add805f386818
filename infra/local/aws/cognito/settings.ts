import * as z from 'zod/mini';

/** A number as text: `StringAttributeConstraints` of the template reference. */
const Length = z.string().check(z.regex(/^\d+$/));
const FunctionArn = z.optional(z.string());

/** Properties without effect here: names and tags. */
const Ignored = z.optional(z.unknown());

/** Properties of AWS::Cognito::UserPool. Others are refused: the deployed stack would silently differ. */
export const UserPoolSettings = z.strictObject({
  DeletionProtection: Ignored,
  EmailConfiguration: z.optional(
    z.looseObject({
      From: z.optional(z.string()),
      EmailSendingAccount: z.optional(z.enum(['COGNITO_DEFAULT', 'DEVELOPER'])),
    }),
  ),
  // CDK always writes this, even if no SMS is sent.
  SmsVerificationMessage: Ignored,
  UserPoolName: Ignored,
  UserPoolTags: Ignored,
  /** "You cannot use admin_only with any other account recovery mechanism." ("Recovering user accounts") */
  AccountRecoverySetting: z.strictObject({
    RecoveryMechanisms: z.tuple([z.strictObject({ Name: z.literal('admin_only'), Priority: z.number() })]),
  }),
  /** The feature plan. */
  UserPoolTier: z._default(z.enum(['LITE', 'ESSENTIALS', 'PLUS']), 'ESSENTIALS'),
  UsernameAttributes: z.tuple([z.literal('email')]),
  UsernameConfiguration: z.strictObject({ CaseSensitive: z.literal(false) }),
  MfaConfiguration: z.optional(z.literal('OFF')),
  AutoVerifiedAttributes: z.tuple([z.literal('email')]),
  AdminCreateUserConfig: z.optional(z.strictObject({ AllowAdminCreateUserOnly: z.optional(z.boolean()) })),
  Policies: z.optional(
    z.strictObject({
      PasswordPolicy: z.optional(
        z.strictObject({
          MinimumLength: z.optional(z.number()),
          RequireLowercase: z.optional(z.literal(false)),
          RequireNumbers: z.optional(z.literal(false)),
          RequireSymbols: z.optional(z.literal(false)),
          RequireUppercase: z.optional(z.literal(false)),
          PasswordHistorySize: z.optional(z.literal(0)),
        }),
      ),
    }),
  ),
  Schema: z._default(
    z.array(
      z.object({
        Name: z.string(),
        Required: z.optional(z.boolean()),
        Mutable: z.optional(z.boolean()),
        StringAttributeConstraints: z.optional(
          z.strictObject({ MinLength: z.optional(Length), MaxLength: z.optional(Length) }),
        ),
      }),
    ),
    [],
  ),
  /** The old address stays until the new address is verified. */
  UserAttributeUpdateSettings: z.object({
    AttributesRequireVerificationBeforeUpdate: z.tuple([z.literal('email')]),
  }),
  EmailVerificationMessage: z.optional(z.string()),
  EmailVerificationSubject: z.optional(z.string()),
  VerificationMessageTemplate: z.optional(
    z.strictObject({
      DefaultEmailOption: z.optional(z.literal('CONFIRM_WITH_CODE')),
      SmsMessage: Ignored,
      EmailMessage: z.optional(z.string()),
      EmailSubject: z.optional(z.string()),
    }),
  ),
  LambdaConfig: z._default(
    z.strictObject({
      PreSignUp: FunctionArn,
      CustomMessage: FunctionArn,
      PostConfirmation: FunctionArn,
      PreTokenGeneration: FunctionArn,
      DefineAuthChallenge: FunctionArn,
      CreateAuthChallenge: FunctionArn,
      VerifyAuthChallengeResponse: FunctionArn,
    }),
    {},
  ),
});
export type UserPoolSettings = z.infer<typeof UserPoolSettings>;

/** Cognito's rule: absolute, without a fragment, and plain http only for localhost. */
const RedirectAddress = z.string().check(
  z.refine((address) => {
    if (!URL.canParse(address) || address.includes('#')) return false;
    const { hostname, protocol } = new URL(address);
    return protocol !== 'http:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  }, 'has to be an absolute address without a fragment, and https beyond this machine'),
);

const TimeUnit = z.optional(z.enum(['seconds', 'minutes', 'hours', 'days']));

/** Properties of AWS::Cognito::UserPoolClient. Unknown ones are refused, as above. */
export const UserPoolClientSettings = z
  .strictObject({
    ClientName: Ignored,
    UserPoolId: Ignored,
    GenerateSecret: z.optional(z.literal(false)),
    // Not ALLOW_USER_AUTH, the choice-based sign-in of higher plans.
    ExplicitAuthFlows: z.array(
      z.enum([
        'ALLOW_ADMIN_USER_PASSWORD_AUTH',
        'ALLOW_CUSTOM_AUTH',
        'ALLOW_REFRESH_TOKEN_AUTH',
        'ALLOW_USER_SRP_AUTH',
        'ALLOW_USER_PASSWORD_AUTH',
      ]),
    ),
    AccessTokenValidity: z.optional(z.number()),
    IdTokenValidity: z.optional(z.number()),
    RefreshTokenValidity: z.optional(z.number()),
    TokenValidityUnits: z.optional(
      z.object({ AccessToken: TimeUnit, IdToken: TimeUnit, RefreshToken: TimeUnit }),
    ),
    /** Minutes in which a challenge can be answered. */
    AuthSessionValidity: z._default(z.number(), 3),
    RefreshTokenRotation: z.optional(
      z.object({
        Feature: z.optional(z.enum(['ENABLED', 'DISABLED'])),
        RetryGracePeriodSeconds: z.optional(z.number()),
      }),
    ),
    EnableTokenRevocation: z.optional(z.literal(true)),
    PreventUserExistenceErrors: z.literal('ENABLED'),
    ReadAttributes: z.optional(z.array(z.string())),
    WriteAttributes: z.optional(z.array(z.string())),
    /** Only the code flow: the implicit flow leaves tokens in the browser's history. */
    AllowedOAuthFlows: z._default(z.array(z.literal('code')), []),
    /** Without this setting, the hosted endpoints refuse the client. */
    AllowedOAuthFlowsUserPoolClient: z._default(z.boolean(), false),
    AllowedOAuthScopes: z._default(
      z.array(z.enum(['openid', 'email', 'phone', 'profile', 'aws.cognito.signin.user.admin'])),
      [],
    ),
    CallbackURLs: z._default(z.array(RedirectAddress), []),
    LogoutURLs: z._default(z.array(RedirectAddress), []),
    DefaultRedirectURI: z.optional(RedirectAddress),
    /** `COGNITO` for passwords, and names of the pool's identity providers. */
    SupportedIdentityProviders: z._default(z.array(z.string()), ['COGNITO']),
  })
  .check(
    z.refine(
      ({ ExplicitAuthFlows, RefreshTokenRotation }) =>
        RefreshTokenRotation?.Feature !== 'ENABLED' ||
        !ExplicitAuthFlows.includes('ALLOW_REFRESH_TOKEN_AUTH'),
      { path: ['RefreshTokenRotation'], error: 'does not go with ALLOW_REFRESH_TOKEN_AUTH' },
    ),
    z.refine(
      ({ ExplicitAuthFlows, RefreshTokenRotation }) =>
        RefreshTokenRotation?.Feature === 'ENABLED' || ExplicitAuthFlows.includes('ALLOW_REFRESH_TOKEN_AUTH'),
      { path: ['ExplicitAuthFlows'], error: 'REFRESH_TOKEN_AUTH should always be allowed.' },
    ),
    z.refine(
      ({ CallbackURLs, DefaultRedirectURI }) =>
        DefaultRedirectURI === undefined || CallbackURLs.includes(DefaultRedirectURI),
      { path: ['DefaultRedirectURI'], error: 'has to be one of CallbackURLs' },
    ),
    z.refine(
      ({ AllowedOAuthFlows, AllowedOAuthFlowsUserPoolClient, AllowedOAuthScopes, CallbackURLs }) =>
        !AllowedOAuthFlowsUserPoolClient ||
        (AllowedOAuthFlows.length > 0 && AllowedOAuthScopes.length > 0 && CallbackURLs.length > 0),
      { path: ['AllowedOAuthFlowsUserPoolClient'], error: 'needs a flow, a scope and a callback' },
    ),
  );
export type UserPoolClientSettings = z.infer<typeof UserPoolClientSettings>;

/** Properties of AWS::Cognito::UserPoolDomain. Prefix domains only: a custom domain needs certificates. */
export const UserPoolDomainSettings = z.strictObject({
  UserPoolId: z.optional(z.string()),
  Domain: z.string().check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)),
  /** The classic sign-in pages. Others need a higher plan, and the site uses none. */
  ManagedLoginVersion: z.optional(z.literal(1)),
});

const commonProviderSettings = {
  UserPoolId: z.optional(z.string()),
  /** Maps pool attributes to the provider's claims: `{ email: 'email' }`. The user name is always `sub`. */
  AttributeMapping: z._default(
    z.record(z.string(), z.string()).check(
      z.refine(({ username = 'sub' }) => username === 'sub', {
        error: 'has to map the user name to `sub`',
      }),
    ),
    {},
  ),
};

/** Properties of AWS::Cognito::UserPoolIdentityProvider, for a provider that Cognito doesn't know. */
export const OidcProviderSettings = z.strictObject({
  ...commonProviderSettings,
  // Cognito's own pattern, without reserved names.
  ProviderName: z
    .string()
    .check(
      z.regex(
        /^(?!(?:COGNITO|Google|Facebook|LoginWithAmazon|SignInWithApple)$)[^_\p{Z}][\p{L}\p{M}\p{S}\p{N}\p{P}]{0,31}$/u,
      ),
    ),
  ProviderType: z.literal('OIDC'),
  ProviderDetails: z.strictObject({
    client_id: z.string(),
    client_secret: z.string(),
    authorize_scopes: z.string(),
    attributes_request_method: z.enum(['GET', 'POST']),
    oidc_issuer: z.string(),
    // Cognito can also read these from the issuer's discovery document. Templates here have to name them.
    authorize_url: z.string(),
    token_url: z.string(),
    attributes_url: z.string(),
    jwks_uri: z.string(),
  }),
});
export type OidcProviderSettings = z.infer<typeof OidcProviderSettings>;

/** The same for a provider that Cognito knows. Its name is its type. `details`: the names of its own ones. */
export const knownProviderSettings = (type: string, details: readonly string[]) =>
  z.strictObject({
    ...commonProviderSettings,
    ProviderName: z.literal(type),
    ProviderType: z.literal(type),
    ProviderDetails: z.strictObject(
      Object.fromEntries(
        ['client_id', 'authorize_scopes', ...details].map((name) => [name, z.string()] as const),
      ),
    ),
  });
export type KnownProviderSettings = z.infer<ReturnType<typeof knownProviderSettings>>;
