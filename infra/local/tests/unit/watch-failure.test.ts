import { expect, test } from 'vitest';
import { watchFailure } from '../../base/watch-failure.ts';

test('a file that cannot be watched is told with what to do', () => {
  expect(watchFailure('EIO: i/o error, watch', 'linux')).toBe(
    "Some changes won't be noticed, since not every file can be watched (EIO: i/o error, watch): restart after a change.",
  );
  expect(watchFailure('EMFILE: too many open files', 'darwin')).toContain('): restart after a change.');
  expect(watchFailure('EMFILE: too many open files', 'linux')).toContain(
    'sudo sysctl fs.inotify.max_user_instances=1024 raises the limit; until then, restart after a change.',
  );
  expect(watchFailure('ENOSPC: System limit for number of file watchers reached', 'linux')).toContain(
    'sudo sysctl fs.inotify.max_user_watches=524288',
  );
});
