import { createHash } from 'node:crypto';

/** What is kept of a secret that was given away: whoever reads the store can't use it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
