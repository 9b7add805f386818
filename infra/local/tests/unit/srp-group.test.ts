import { expect, test } from 'vitest';
import { g, N } from '../../aws/cognito/srp-group.ts';

test('the SRP group of Cognito is the 3072-bit group of RFC 3526', () => {
  const prime = N.toString(16).toUpperCase();
  expect(prime).toHaveLength(3072 / 4);
  expect(prime).toMatch(/^FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74/);
  expect(prime).toMatch(
    /BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF$/,
  );
  expect(g).toBe(2n);
});
