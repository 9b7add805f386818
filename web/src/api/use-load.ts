import { useCallback, useEffect, useEffectEvent, useState } from 'react';

/** The state of a load. `reloading`: the value is from an earlier load, and the next load is running. */
export type Loaded<T> = { kind: 'loading' } | { kind: 'loaded'; value: T; reloading: boolean };

const never = () => false;

type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

/**
 * Runs `load` when the component mounts, when `key` changes, and on `reload`. Unmounting aborts the signal
 * and drops the result. Nothing is loaded while `key` is null. An API call never rejects, since its refusals
 * are values; if `load` rejects, the error goes to the error boundary.
 *
 * `isFailure`: whether a value says that nothing could be read. Such a value doesn't replace what was read
 * before a reload. Must stay the same between renders.
 */
export function useLoad<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  isFailure: (value: T) => boolean = never,
): { state: Loaded<T>; reload: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [settled, setSettled] = useState<{ key: string; attempt: number; result: Result<T> } | null>(null);
  const start = useEffectEvent(load);

  useEffect(() => {
    if (key === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const isRead = (result: Result<T>) => result.ok && !isFailure(result.value);
    const settle = (result: Result<T>) => {
      if (signal.aborted) return;
      setSettled((before) =>
        before?.key === key && isRead(before.result) && result.ok && !isRead(result)
          ? { ...before, attempt }
          : { key, attempt, result },
      );
    };
    start(signal).then(
      (value) => settle({ ok: true, value }),
      (error: unknown) => settle({ ok: false, error }),
    );
    return () => controller.abort();
  }, [key, attempt, isFailure]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  if (settled === null || settled.key !== key) return { state: { kind: 'loading' }, reload };
  const { result } = settled;
  if (!result.ok) throw result.error;
  return { state: { kind: 'loaded', value: result.value, reloading: settled.attempt !== attempt }, reload };
}
