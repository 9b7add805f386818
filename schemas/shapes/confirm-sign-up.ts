import * as z from 'zod/mini';
import { PersonName } from '../rows/waitlist.ts';
import { ProofToken } from './proof-token.ts';
import { Address } from './address.ts';
import { NewPassword } from './new-password.ts';

/** Confirms a sign-up with the mail's link. */
export const ConfirmSignUpRequest = z.strictObject({
  email: Address,
  token: ProofToken,
  /** The secret of the browser that signed up (`schemas/sign-up-browser.ts`). It keeps the password. */
  browser: z.optional(z.string().check(z.maxLength(100))),
  /** Name and password of the account from then on. Refused as `password-needed` where they are missing. */
  account: z.optional(z.strictObject({ name: PersonName, password: NewPassword })),
});

/** The same if the address was confirmed before. */
export const ConfirmSignUpResponse = z.object({ success: z.literal(true) });
