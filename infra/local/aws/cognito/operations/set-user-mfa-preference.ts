import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';

const Preference = z.nullish(
  z.object({ Enabled: z.nullish(z.boolean()), PreferredMfa: z.nullish(z.boolean()) }),
);

const settings = {
  SMSMfaSettings: 'SMS_MFA',
  SoftwareTokenMfaSettings: 'SOFTWARE_TOKEN_MFA',
  EmailMfaSettings: 'EMAIL_OTP',
} as const;

/** The pool has no second factor, so none can be enabled. Disabling an absent factor is not an error. */
export const setUserMfaPreference = operation({
  request: z.object({
    AccessToken: member.Token,
    SMSMfaSettings: Preference,
    SoftwareTokenMfaSettings: Preference,
    EmailMfaSettings: Preference,
  }),
  run: async ({ tokens }, request) => {
    await tokens.bearer(request.AccessToken);
    for (const name of ['SMSMfaSettings', 'SoftwareTokenMfaSettings', 'EmailMfaSettings'] as const) {
      if (!request[name]?.Enabled) continue;
      throw new CognitoError(
        'InvalidParameterException',
        `User does not have delivery config set to turn on ${settings[name]}`,
      );
    }
    return {};
  },
});
