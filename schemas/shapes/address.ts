import * as z from 'zod/mini';

/**
 * An e-mail address, trimmed and in lower case, its letters of full width narrow. Lower-cased after its
 * pattern is checked: Unicode would fold other letters into ASCII. The pattern is the browser's for
 * `type=email`, with a dot in the domain. At most 128 characters, since Cognito accepts the address as a user
 * name.
 */
export const Address = z
  .string()
  .check(
    z.normalize('NFKC'),
    z.trim(),
    z.maxLength(128),
    z.email({ pattern: z.regexes.html5Email }),
    z.regex(/\.[^.@]+$/),
    z.toLowerCase(),
  );
