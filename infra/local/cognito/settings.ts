import * as z from 'zod/mini';

const FunctionArn = z.optional(z.string());

/**
 * Properties of AWS::Cognito::UserPool that the stand-in acts upon. A value it cannot honour is refused, so
 * that the local product never behaves otherwise than the deployed one in silence.
 */
export const UserPoolSettings = z.object({
  UsernameAttributes: z.tuple([z.literal('email')]),
  /** Cognito compares user names with case where this is absent. */
  UsernameConfiguration: z.optional(z.object({ CaseSensitive: z.boolean() })),
  MfaConfiguration: z.optional(z.literal('OFF')),
  AutoVerifiedAttributes: z._default(z.array(z.literal('email')), []),
  AdminCreateUserConfig: z.optional(z.object({ AllowAdminCreateUserOnly: z.optional(z.boolean()) })),
  Policies: z.optional(
    z.object({
      PasswordPolicy: z.optional(
        z.object({
          MinimumLength: z.optional(z.number()),
          RequireLowercase: z.optional(z.boolean()),
          RequireNumbers: z.optional(z.boolean()),
          RequireSymbols: z.optional(z.boolean()),
          RequireUppercase: z.optional(z.boolean()),
          PasswordHistorySize: z.optional(z.literal(0)),
        }),
      ),
    }),
  ),
  Schema: z._default(
    z.array(
      z.object({ Name: z.string(), Required: z.optional(z.boolean()), Mutable: z.optional(z.boolean()) }),
    ),
    [],
  ),
  UserAttributeUpdateSettings: z.optional(
    z.object({ AttributesRequireVerificationBeforeUpdate: z.array(z.literal('email')) }),
  ),
  EmailVerificationMessage: z.optional(z.string()),
  EmailVerificationSubject: z.optional(z.string()),
  VerificationMessageTemplate: z.optional(
    z.object({
      DefaultEmailOption: z.optional(z.literal('CONFIRM_WITH_CODE')),
      EmailMessage: z.optional(z.string()),
      EmailSubject: z.optional(z.string()),
    }),
  ),
  LambdaConfig: z._default(
    z.strictObject({
      PreSignUp: FunctionArn,
      CustomMessage: FunctionArn,
      PostConfirmation: FunctionArn,
      PreAuthentication: FunctionArn,
      PostAuthentication: FunctionArn,
      PreTokenGeneration: FunctionArn,
      PreTokenGenerationConfig: z.optional(
        z.object({ LambdaVersion: z.literal('V1_0'), LambdaArn: z.string() }),
      ),
    }),
    {},
  ),
});
export type UserPoolSettings = z.infer<typeof UserPoolSettings>;

const TimeUnit = z.optional(z.enum(['seconds', 'minutes', 'hours', 'days']));

/** Properties of AWS::Cognito::UserPoolClient, on the same terms. */
export const UserPoolClientSettings = z.object({
  GenerateSecret: z.optional(z.literal(false)),
  ExplicitAuthFlows: z._default(z.array(z.string()), [
    'ALLOW_REFRESH_TOKEN_AUTH',
    'ALLOW_USER_SRP_AUTH',
    'ALLOW_CUSTOM_AUTH',
  ]),
  AccessTokenValidity: z.optional(z.number()),
  IdTokenValidity: z.optional(z.number()),
  RefreshTokenValidity: z.optional(z.number()),
  TokenValidityUnits: z.optional(
    z.object({ AccessToken: TimeUnit, IdToken: TimeUnit, RefreshToken: TimeUnit }),
  ),
  /** Minutes from a challenge to the last moment it may be answered. */
  AuthSessionValidity: z._default(z.number(), 3),
  RefreshTokenRotation: z.optional(
    z.object({
      Feature: z.optional(z.enum(['ENABLED', 'DISABLED'])),
      RetryGracePeriodSeconds: z.optional(z.number()),
    }),
  ),
  EnableTokenRevocation: z.optional(z.literal(true)),
  PreventUserExistenceErrors: z._default(z.enum(['ENABLED', 'LEGACY']), 'LEGACY'),
  ReadAttributes: z.optional(z.array(z.string())),
  WriteAttributes: z.optional(z.array(z.string())),
});
export type UserPoolClientSettings = z.infer<typeof UserPoolClientSettings>;
