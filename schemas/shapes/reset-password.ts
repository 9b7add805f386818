import * as z from 'zod/mini';
import { ProofToken } from './proof-token.ts';
import { NewPassword } from './new-password.ts';

/** `access_token`: the proof in the mail's link. */
export const ResetPasswordRequest = z.strictObject({ access_token: ProofToken, newPassword: NewPassword });

/** The account's address, to sign in with. */
export const ResetPasswordResponse = z.object({ email: z.string() });
