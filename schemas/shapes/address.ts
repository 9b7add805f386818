import * as z from 'zod/mini';
import { plainAddress } from '../plain-text.ts';

/**
 * An e-mail address in lower case, without what was copied along. Lower-cased after its pattern is checked:
 * Unicode would fold other letters into ASCII. The pattern is the browser's for
 * `type=email`, with a dot in the domain. At most 128 characters, since Cognito accepts the address as a user
 * name.
 */
export const Address = z
  .string()
  .check(
    z.overwrite(plainAddress),
    z.maxLength(128),
    z.email({ pattern: z.regexes.html5Email }),
    z.regex(/\.[^.@]+$/),
    z.toLowerCase(),
  );
