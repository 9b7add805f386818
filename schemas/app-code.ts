import { withPlainDigits } from './plain-text.ts';

/** Crockford's base 32 (https://www.crockford.com/base32.html), to be read off a screen and typed. */
export const APP_CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ten characters are 50 bits. */
export const APP_CODE_LENGTH = 10;

const APP_CODE = new RegExp(`^[${APP_CODE_ALPHABET}]{${APP_CODE_LENGTH}}$`);

/** The code that a text means, with small letters, any script's digits, spaces, hyphens, or O for 0. */
export function appCodeIn(text: string): string | undefined {
  const code = withPlainDigits(text)
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return APP_CODE.test(code) ? code : undefined;
}
