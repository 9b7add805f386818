import { createHash, randomBytes } from 'node:crypto';
import { APP_CODE_ALPHABET, APP_CODE_LENGTH } from '../../schemas/app-code.ts';

// 256 is a multiple of the alphabet's 32 letters, so that each is as likely as the others.
export const newAppCode = (): string =>
  [...randomBytes(APP_CODE_LENGTH)]
    .map((byte) => APP_CODE_ALPHABET[byte % APP_CODE_ALPHABET.length])
    .join('');

/** The key of a code's item. The table holds no code that works. */
export const hashOfAppCode = (code: string): string => createHash('sha256').update(code).digest('hex');
