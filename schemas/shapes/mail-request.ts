import * as z from 'zod/mini';
import { Address } from './address.ts';

/** Asks for a mail to the owner of an account, by the account's address. */
export const MailRequest = z.strictObject({
  email: Address,
  /** The act that the mail's link allows. */
  purpose: z.enum(['reset', 'end-contract']),
});

/** The same whether a mail went out or not. */
export const MailResponse = z.object({ received: z.literal(true) });
