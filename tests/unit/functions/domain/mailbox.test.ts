import { expect, test } from 'vitest';
import { countedSignUp } from '../../../../functions/domain/mailbox.ts';

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['a.da@gmail.com', 'a.da@gmail.com'],
  ['ada+shop@example.com', 'ada+@example.com'],
  ['ada+a+b@example.com', 'ada+@example.com'],
])('a sign-up with %s is counted for %s', (email, counted) => {
  expect(countedSignUp(email)).toBe(counted);
});
