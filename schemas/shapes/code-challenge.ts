import * as z from 'zod/mini';

/** The SHA-256 of an app's verifier, in base64url (RFC 7636, section 4.2). */
export const CodeChallenge = z.string().check(z.regex(/^[\w-]{43}$/));
