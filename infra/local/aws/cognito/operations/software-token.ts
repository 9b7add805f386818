import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';
import { bearerOrNotAuthorized } from './bearer-or-not-authorized.ts';

const Request = z.object({ AccessToken: z.nullish(member.Token), Session: z.nullish(z.string()) });

export const associateSoftwareToken = operation({
  request: Request,
  run: async ({ tokens }, request) => {
    await bearerOrNotAuthorized(tokens, accessTokenOf(request));
    throw notEnabled();
  },
});

export const verifySoftwareToken = operation({
  request: z.extend(Request, {
    UserCode: z.string().check(z.regex(/^\d{6}$/, 'Member must satisfy regular expression pattern: [0-9]+')),
  }),
  run: async ({ tokens }, request) => {
    await tokens.bearer(accessTokenOf(request));
    throw notEnabled();
  },
});

/** Sessions come from sign-ins that ask for a second factor, and no sign-in here does. */
function accessTokenOf({ AccessToken, Session }: z.infer<typeof Request>): string {
  if (AccessToken) return AccessToken;
  if (Session) throw new CognitoError('NotAuthorizedException', 'Invalid session for the user.');
  throw new CognitoError('InvalidParameterException', 'Missing required parameter AccessToken');
}

/** The message is from "TOTP software token MFA". */
const notEnabled = (): CognitoError =>
  new CognitoError(
    'SoftwareTokenMFANotFoundException',
    'Software Token MFA has not been enabled by the userPool',
  );
