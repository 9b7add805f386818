import { expect, test } from 'vitest';
import { mailboxOf } from '../../../schemas/shapes/mailbox.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['a.da@example.com', 'a.da@example.com'],
  ['ada+shop@example.com', 'ada+@example.com'],
  ['ada+a+b@example.com', 'ada+@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['a.d.a@gmail.com', 'ada@gmail.com'],
  ['a.da+shop@googlemail.com', 'ada@gmail.com'],
  ['a.da@mail.gmail.com', 'a.da@mail.gmail.com'],
])('%s reaches the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
