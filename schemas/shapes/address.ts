import * as z from 'zod/mini';
import { plainAddress } from '../plain-text.ts';

/**
 * An e-mail address, lowered after its pattern is checked: Unicode would fold other letters into ASCII. The
 * pattern is the browser's for `type=email`, with a dot in the domain. 128 is Cognito's maximum.
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
