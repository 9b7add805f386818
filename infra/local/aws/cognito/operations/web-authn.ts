import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';
import type { Parts } from '../parts.ts';
import { bearerOrNotAuthorized } from './bearer-or-not-authorized.ts';

/**
 * Passkeys need the feature plan Essentials and WEB_AUTHN among the pool's first factors. The error type is
 * from the API reference; the message is not Cognito's.
 */
async function refuse({ tokens }: Parts, { AccessToken }: { AccessToken: string }): Promise<never> {
  await bearerOrNotAuthorized(tokens, AccessToken);
  throw new CognitoError('WebAuthnNotEnabledException', 'WebAuthn is not enabled for this userpool');
}

const Bearer = z.object({ AccessToken: member.Token });

export const startWebAuthnRegistration = operation({ request: Bearer, run: refuse });

export const completeWebAuthnRegistration = operation({
  request: z.extend(Bearer, { Credential: z.looseObject({}) }),
  run: refuse,
});

/** Listing passkeys is not refused; the list is always empty. */
export const listWebAuthnCredentials = operation({
  request: Bearer,
  run: async ({ tokens }, { AccessToken }) => {
    await bearerOrNotAuthorized(tokens, AccessToken);
    return { Credentials: [] };
  },
});

export const deleteWebAuthnCredential = operation({
  request: z.extend(Bearer, { CredentialId: z.string() }),
  run: async ({ tokens }, { AccessToken }) => {
    await bearerOrNotAuthorized(tokens, AccessToken);
    throw new CognitoError('ResourceNotFoundException', 'The requested credential does not exist.');
  },
});
