import { expect, test } from 'vitest';
import { appCodeIn } from '../../../schemas/app-code.ts';
import { withPlainDigits } from '../../../schemas/plain-text.ts';
import { WaitlistRequest } from '../../../schemas/rows/waitlist.ts';
import { Address } from '../../../schemas/shapes/address.ts';
import { NewPassword } from '../../../schemas/shapes/new-password.ts';

const digits = (system: string): string =>
  new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(1_234_567_890);

/** The systems that write digit by digit, in digits of their own. */
const systems = Intl.supportedValuesOf('numberingSystem').filter((system) =>
  /^\p{Nd}{10}$/u.test(digits(system)),
);

test('the digits of every script are read as 0 to 9', () => {
  expect(systems.length).toBeGreaterThan(70);
  const misread = systems.filter((system) => withPlainDigits(digits(system)) !== '1234567890');
  expect(misread).toEqual([]);
});

test('what a person sees as the same is the same in an address, a name, a password and a code', () => {
  expect(Address.parse(' ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ')).toBe('ada@example.com');
  expect(NewPassword.parse('cafe\u0301 １２')).toBe('café 12');
  const entry = WaitlistRequest.parse({ name: 'Andre\u0301', email: 'ADA＠example.com' });
  expect(entry).toEqual({ name: 'André', email: 'ada@example.com' });
  expect(appCodeIn('ＡＢＣＤＥ－１２３４５')).toBe('ABCDE12345');
});
