import * as z from 'zod/mini';

/** The token of a mail's link: 256 random bits in base64url. */
export const ProofToken = z.string().check(z.regex(/^[\w-]{43}$/));
