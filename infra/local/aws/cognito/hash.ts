import { createHash } from 'node:crypto';

/** What is stored of a secret, so that a copy of the store can't be used to sign in. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
