import { withPlainDigits } from './plain-text.ts';

/**
 * The alphabet of the codes that apps get: Crockford's base 32, without I, L, O and U, so that a code can be
 * read off the screen and typed. https://www.crockford.com/base32.html
 */
export const APP_CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ten characters are 50 bits. */
export const APP_CODE_LENGTH = 10;

const APP_CODE = new RegExp(`^[${APP_CODE_ALPHABET}]{${APP_CODE_LENGTH}}$`);

/**
 * The code that a text means: in small letters or another script's digits, with spaces or hyphens, or with O
 * for 0.
 */
export function appCodeIn(text: string): string | undefined {
  const code = withPlainDigits(text)
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return APP_CODE.test(code) ? code : undefined;
}
