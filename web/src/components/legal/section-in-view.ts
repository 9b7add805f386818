import { useEffect, useState } from 'react';

// A section counts as in view once its heading is in the upper third of the window.
const READING_LINE = 1 / 3;

/** The id of the section in view; null above the first section. */
export function useSectionInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const joined = ids.join(' ');
  useEffect(() => {
    const update = () => setCurrent(sectionInView(joined.split(' ')));
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [joined]);
  return current;
}

function sectionInView(ids: readonly string[]): string | null {
  const { scrollTop, scrollHeight } = document.documentElement;
  // The last sections may be too short to reach the line, so at the end of the page the last section counts.
  const isAtEnd = scrollTop > 0 && scrollTop + innerHeight >= scrollHeight - 1;
  return isAtEnd ? (ids.at(-1) ?? null) : (ids.findLast(isRead) ?? null);
}

function isRead(id: string): boolean {
  const top = document.getElementById(id)?.getBoundingClientRect().top;
  return top !== undefined && top <= innerHeight * READING_LINE;
}
