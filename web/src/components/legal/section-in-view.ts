import { useEffect, useState } from 'react';

// A section is being read once its heading has come into the upper third of the window.
const READING_LINE = 1 / 3;

/** Which of the elements with these ids is being read; null above the first of them. */
export function useSectionInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const joined = ids.join(' ');
  useEffect(() => {
    const look = () => setCurrent(sectionInView(joined.split(' ')));
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [joined]);
  return current;
}

function sectionInView(ids: readonly string[]): string | null {
  const { scrollTop, scrollHeight } = document.documentElement;
  // The last sections never get as far up as the line: at the end of the page the end is what is read.
  const isAtEnd = scrollTop > 0 && scrollTop + innerHeight >= scrollHeight - 1;
  return isAtEnd ? (ids.at(-1) ?? null) : (ids.findLast(isRead) ?? null);
}

function isRead(id: string): boolean {
  const top = document.getElementById(id)?.getBoundingClientRect().top;
  return top !== undefined && top <= innerHeight * READING_LINE;
}
