import * as z from 'zod/mini';

// Cognito's maximum: "PasswordType" in its API reference.
const Password = z.string().check(z.normalize('NFKC'), z.minLength(1), z.maxLength(256));

export const ChangePasswordRequest = z.strictObject({ currentPassword: Password, newPassword: Password });
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

export const ChangePasswordResponse = z.object({
  success: z.literal(true),
  /** Whether all earlier sessions were ended, including the caller's. The password is changed either way. */
  sessionsEnded: z.boolean(),
});
export type ChangePasswordResponse = z.infer<typeof ChangePasswordResponse>;

export const DeleteAccountResponse = z.object({
  /** Whether this call ended a running subscription. */
  subscriptionEnded: z.boolean(),
  /**
   * Whether the mail about the deletion was sent, by this call or another. The account is deleted either way.
   */
  mailSent: z.boolean(),
});
export type DeleteAccountResponse = z.infer<typeof DeleteAccountResponse>;
