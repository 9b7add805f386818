import * as z from 'zod/mini';

/** The six digits of a mail. Spaces are dropped, since mail programs show a code in groups. */
export const MailedCode = z.string().check(
  z.maxLength(20),
  z.overwrite((code) => code.replaceAll(/\s/g, '')),
  z.regex(/^\d{6}$/),
);
