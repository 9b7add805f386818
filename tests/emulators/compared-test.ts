import { afterEach, expect, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The assertions that ran. */
    assertions?: number;
    /** The first operation or flow of the test that the emulator doesn't have. */
    unsupported?: string;
  }
}

afterEach(({ task }) => {
  task.meta.assertions = expect.getState().assertionCalls;
});

export function noteUnsupported(what: string): void {
  const test = TestRunner.getCurrentTest();
  if (test) test.meta.unsupported ??= what;
}
