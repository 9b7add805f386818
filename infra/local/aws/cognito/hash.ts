import { createHash } from 'node:crypto';

/** The hash that is stored in place of a secret, so that a copy of the store can't be used to sign in. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
