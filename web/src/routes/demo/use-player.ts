import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useHydrated } from '../../navigation/hydrated.ts';
import { chapters } from './chapters.ts';
import { chapterAt, momentAfterKey, sceneScript } from './scene-script.ts';

// Milliseconds. The fastest change is typing.
const TICK = 25;
const { duration } = sceneScript;

/** State of the player. `poster`: not played yet. At the end of the scene, the player is `paused`. */
type Course = 'poster' | 'playing' | 'paused';

interface Playback {
  course: Course;
  /** Milliseconds from the start. */
  now: number;
}

/** The index of the chapter in an address, as `#chapter-3`, or -1. */
const chapterOf = (hash: string): number =>
  chapters.findIndex((_, index) => hash === `#chapter-${index + 1}`);

/** Plays the walkthrough. The address names the chapter, once the walkthrough has been played. */
export function usePlayer() {
  const [{ course, now }, set] = useState<Playback>({ course: 'poster', now: 0 });
  const { hash } = useLocation();
  const chapter = chapterAt(now);

  // The built HTML doesn't know the address.
  const hydrated = useHydrated();
  const [opened, setOpened] = useState('');
  if (hydrated && hash !== opened) {
    setOpened(hash);
    const start = chapters[chapterOf(hash)]?.start;
    if (start !== undefined) set({ course: 'poster', now: start });
  }

  useEffect(() => {
    // The router isn't used, since it would move the page to the chapter's picture.
    if (course !== 'poster') history.replaceState(history.state, '', `#chapter-${chapter + 1}`);
  }, [course, chapter]);

  useEffect(() => {
    if (course !== 'playing') return undefined;
    let ticked = performance.now();
    const interval = setInterval(() => {
      const passed = performance.now() - ticked;
      ticked += passed;
      set((before) => {
        const next = Math.min(duration, before.now + passed);
        return { course: next < duration ? 'playing' : 'paused', now: next };
      });
    }, TICK);
    const pause = () => set((before) => ({ ...before, course: 'paused' }));
    const reduced = matchMedia('(prefers-reduced-motion: reduce)');
    document.addEventListener('visibilitychange', pause);
    reduced.addEventListener('change', pause);
    return () => {
      clearInterval(interval);
      document.removeEventListener('visibilitychange', pause);
      reduced.removeEventListener('change', pause);
    };
  }, [course]);

  const seek = (moment: number) =>
    set((before) => ({ course: before.course === 'playing' ? 'playing' : 'paused', now: moment }));
  const play = (from = now < duration ? now : 0) => set({ course: 'playing', now: from });
  const toggle = () => (course === 'playing' ? set({ course: 'paused', now }) : play());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const moment = momentAfterKey(event.key, now, target.matches('input'));
    const toggles = /^k$/i.test(event.key) || (event.key === ' ' && !target.matches('button, a'));
    if (moment === undefined && !toggles) return;
    event.preventDefault();
    if (moment === undefined) toggle();
    else seek(moment);
  };

  return { course, now, chapter, ended: now >= duration, seek, play, toggle, onKeyDown };
}
