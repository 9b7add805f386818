import * as z from 'zod/mini';

/** An item of the AppCodes table, key `code_hash`: a code that an app hasn't redeemed yet. */
export const AppCode = z.object({
  /** SHA-256 of the code, hexadecimal. */
  code_hash: z.string(),
  /** Cognito's authorization code, which only the app's verifier redeems. */
  cognito_code: z.string(),
  /** The app's address, as the app sent it. */
  redirect_uri: z.string(),
  code_challenge: z.string(),
  /** Unix seconds, after which the code isn't accepted, and DynamoDB may delete the item. */
  expires_at: z.number(),
});
export type AppCode = z.infer<typeof AppCode>;
