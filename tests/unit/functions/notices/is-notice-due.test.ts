import { expect, test, vi } from 'vitest';
import { isNoticeDue } from '../../../../functions/notices/is-notice-due.ts';

test('a mail about nobody’s account is not limited', async () => {
  const claim = vi.fn<() => Promise<boolean>>();
  expect(await isNoticeDue({ claim }, 'password', undefined, new Date())).toBe(true);
  expect(claim).not.toHaveBeenCalled();
});
