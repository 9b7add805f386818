import * as z from 'zod/mini';

export const ProviderReminderRequest = z.strictObject({
  email: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.maxLength(128), z.email({ pattern: z.regexes.html5Email })),
});

/** The same whether a mail went out or not. */
export const ProviderReminderResponse = z.object({ received: z.literal(true) });
