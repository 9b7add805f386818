import { useEffect, useState } from 'react';

/** Whether the component has been mounted for that many milliseconds. */
export function useHasPassed(wait: number): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), wait);
    return () => clearTimeout(timer);
  }, [wait]);
  return hasPassed;
}
