import { expect, test } from 'vitest';
import { closingUntil } from '../../../../functions/domain/closing.ts';
import { afterReturnedWarning, idleStep } from '../../../../functions/domain/idle.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';

const DAY = 86_400_000;
const now = new Date('2026-01-20T12:00:00Z');
const dueIn = (days: number) => new Date(now.getTime() + days * DAY).toISOString();
const rowWith = (fields: Partial<UserPlan>): UserPlan => ({ id: 'ada', plan: 'free', version: 1, ...fields });

test('nothing is due for a row without a date, before its date, or while it is being deleted', () => {
  expect(idleStep(rowWith({}), now)).toBe('none');
  expect(idleStep(rowWith({ idle_due_at: dueIn(1) }), now)).toBe('none');
  const begun = rowWith({ idle_due_at: dueIn(0), closing_until: closingUntil(now) });
  expect(idleStep(begun, now)).toBe('closing');
});

test('a warning that came back counts until the step that it announces is a month away', () => {
  expect(afterReturnedWarning(rowWith({}), 'mail-1', now)).toBeUndefined();
  expect(afterReturnedWarning(rowWith({ idle_due_at: dueIn(30) }), 'mail-1', now)).toBeDefined();
  const later = new Date(Date.parse(dueIn(30)) + 1).toISOString();
  expect(afterReturnedWarning(rowWith({ idle_due_at: later }), 'mail-1', now)).toBeUndefined();
});
