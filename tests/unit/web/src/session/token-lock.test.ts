import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTokenLock } from '../../../../../web/src/session/token-lock.ts';

beforeEach(() => void vi.stubGlobal('localStorage', {}));
afterEach(() => void vi.unstubAllGlobals());

test('work on the tokens waits for another tab, and gives up if that tab keeps the lock', async () => {
  const { promise: kept, resolve: release } = Promise.withResolvers<void>();
  const holding = navigator.locks.request('session', () => kept);
  const work = vi.fn<() => Promise<string>>(async () => 'done');
  await expect(withTokenLock(work, 20)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  const waiting = withTokenLock(work);
  expect(work).not.toHaveBeenCalled();
  release();
  await holding;
  expect(await waiting).toBe('done');
});
