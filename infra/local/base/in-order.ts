/** Passes values on in order. A value that isn't there yet holds back the values after it. */
export function inOrder<T>(take: (value: T) => void): (value: T | Promise<T>) => void {
  let last: Promise<void> | undefined;
  return (value) => {
    if (!last && !(value instanceof Promise)) return take(value);
    const waiting = (last ?? Promise.resolve()).then(async () => {
      take(await value);
      if (last === waiting) last = undefined;
    });
    last = waiting;
    return undefined;
  };
}
