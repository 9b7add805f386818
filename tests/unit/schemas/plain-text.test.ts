import { expect, test } from 'vitest';
import { appCodeIn } from '../../../schemas/app-code.ts';
import { plainAddress, withPlainDigits } from '../../../schemas/plain-text.ts';
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

test.each([
  '\u{200B}ada@example.com',
  'a\u{AD}da@exam\u{200B}ple.com\u{FEFF}',
  '\u{202A}ada@example.com\u{202C}',
  '\u{2068}ada@example.com\u{2069}\u{2060}\u{200E}',
  '\u{A0}ada@example.com\u{A0}',
  'mailto:ada@example.com?subject=Hello',
  '<ada@example.com>',
  'Ada Lovelace <ada@example.com>,',
  '"ada@example.com";',
  'ada@example。com',
  'ＡＤＡ＠ｅｘａｍｐｌｅ．ｃｏｍ',
])('an address is read without what was copied along: %j', (typed) => {
  expect(plainAddress(typed).toLowerCase()).toBe('ada@example.com');
  expect(Address.parse(typed)).toBe('ada@example.com');
});

test('an address that is being typed stays as it is at every key', () => {
  const address = 'ada+shop@mail.example.co';
  for (let length = 1; length <= address.length; length += 1) {
    expect(plainAddress(address.slice(0, length))).toBe(address.slice(0, length));
  }
});
