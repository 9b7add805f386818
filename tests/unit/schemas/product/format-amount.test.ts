import { expect, test } from 'vitest';
import { formatAmount } from '../../../../schemas/product/format-amount.ts';

test.each([
  ['$5.00', 500, 'usd', undefined],
  ['$0.00', 0, 'usd', undefined],
  ['$1,234.56', 123_456, 'usd', undefined],
  ['¥500', 500, 'jpy', undefined],
  // Unicode has no decimals for these two, and two for the third.
  ['HUF 500.00', 50_000, 'huf', undefined],
  ['UGX 500.00', 50_000, 'UGX', undefined],
  ['KWD 5.000', 5_000, 'kwd', undefined],
  ['$5.00, including $0.80 tax', 500, 'usd', 80],
])('an amount is written as %s', (written, amount, currency, tax) => {
  expect(formatAmount(amount, currency, tax)).toBe(written);
});
