import * as z from 'zod/mini';

/** Asks for a mail to the owner of an account, by the account's address. */
export const MailRequest = z.strictObject({
  email: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.maxLength(128), z.email({ pattern: z.regexes.html5Email })),
});

/** The same whether a mail went out or not. */
export const MailResponse = z.object({ received: z.literal(true) });
