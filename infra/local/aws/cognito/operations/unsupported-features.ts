import * as z from 'zod/mini';
import { CognitoError, invalidParameter } from '../errors.ts';
import { member, operation } from '../operation.ts';
import type { Tokens } from '../tokens.ts';
import { bearerOrNotAuthorized } from './sessions.ts';

// Pools here have no second factor, no remembered devices and no passkeys. The types of these errors are from
// the API reference. The messages about devices and passkeys are not Cognito's.

const Bearer = z.object({ AccessToken: member.Token });

const noDevices = (request: typeof Bearer) =>
  operation({
    request,
    run: async ({ tokens }, { AccessToken }) => {
      await tokens.bearer(AccessToken);
      throw new CognitoError(
        'InvalidUserPoolConfigurationException',
        'Device tracking is not enabled for the user pool.',
      );
    },
  });

const DEVICE_KEY = 'Member must satisfy regular expression pattern: [\\w-]+_[0-9a-f-]+';
const OneDevice = z.extend(Bearer, {
  DeviceKey: z.string().check(z.regex(/^[\w-]+_[0-9a-f-]+$/, DEVICE_KEY)),
});

const noPasskeys = (request: typeof Bearer) =>
  operation({
    request,
    run: async ({ tokens }, { AccessToken }) => {
      await bearerOrNotAuthorized(tokens, AccessToken);
      throw new CognitoError('WebAuthnNotEnabledException', 'WebAuthn is not enabled for this userpool');
    },
  });

const Preference = z.nullish(
  z.object({ Enabled: z.nullish(z.boolean()), PreferredMfa: z.nullish(z.boolean()) }),
);

const SIX_DIGITS = 'Member must satisfy regular expression pattern: [0-9]+';
const UserCode = z.string().check(z.regex(/^\d{6}$/, SIX_DIGITS));
const TokenOrSession = z.object({ AccessToken: z.nullish(member.Token) });

const noSoftwareToken = (
  request: typeof TokenOrSession,
  bearer: (tokens: Tokens, accessToken: string) => Promise<unknown>,
) =>
  operation({
    request,
    run: async ({ tokens }, { AccessToken }) => {
      if (!AccessToken) throw invalidParameter('Missing required parameter AccessToken');
      await bearer(tokens, AccessToken);
      // The message is from "TOTP software token MFA".
      throw new CognitoError(
        'SoftwareTokenMFANotFoundException',
        'Software Token MFA has not been enabled by the userPool',
      );
    },
  });

export const unsupportedFeatures = {
  ListDevices: noDevices(Bearer),
  ConfirmDevice: noDevices(OneDevice),
  ForgetDevice: noDevices(OneDevice),
  UpdateDeviceStatus: noDevices(OneDevice),

  StartWebAuthnRegistration: noPasskeys(Bearer),
  CompleteWebAuthnRegistration: noPasskeys(z.extend(Bearer, { Credential: z.looseObject({}) })),
  /** Not refused: the list is always empty. */
  ListWebAuthnCredentials: operation({
    request: Bearer,
    run: async ({ tokens }, { AccessToken }) => {
      await bearerOrNotAuthorized(tokens, AccessToken);
      return { Credentials: [] };
    },
  }),
  DeleteWebAuthnCredential: operation({
    request: z.extend(Bearer, { CredentialId: z.string() }),
    run: async ({ tokens }, { AccessToken }) => {
      await bearerOrNotAuthorized(tokens, AccessToken);
      throw new CognitoError('ResourceNotFoundException', 'The requested credential does not exist.');
    },
  }),

  AssociateSoftwareToken: noSoftwareToken(TokenOrSession, bearerOrNotAuthorized),
  VerifySoftwareToken: noSoftwareToken(z.extend(TokenOrSession, { UserCode }), (tokens, token) =>
    tokens.bearer(token),
  ),

  /** Disabling an absent factor is not an error. */
  SetUserMFAPreference: operation({
    request: z.extend(Bearer, {
      SMSMfaSettings: Preference,
      SoftwareTokenMfaSettings: Preference,
      EmailMfaSettings: Preference,
    }),
    run: async ({ tokens }, { AccessToken, SMSMfaSettings, SoftwareTokenMfaSettings, EmailMfaSettings }) => {
      await tokens.bearer(AccessToken);
      const settings = {
        SMS_MFA: SMSMfaSettings,
        SOFTWARE_TOKEN_MFA: SoftwareTokenMfaSettings,
        EMAIL_OTP: EmailMfaSettings,
      };
      const [enabled] = Object.entries(settings).find(([, setting]) => setting?.Enabled) ?? [];
      if (enabled === undefined) return {};
      throw invalidParameter(`User does not have delivery config set to turn on ${enabled}`);
    },
  }),
};
