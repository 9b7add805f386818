import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTicks } from '../../components/app/play-script.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { chapters } from './chapters.ts';
import { chapterAt, sceneScript } from './scene-script.ts';

const { duration } = sceneScript;

interface Playback {
  /** `poster`: not played yet. At the end of the scene, the player is `paused`. */
  course: 'poster' | 'playing' | 'paused';
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

  useTicks(course === 'playing', (passed) => {
    set((before) => {
      const next = Math.min(duration, before.now + passed);
      return { course: next < duration ? 'playing' : 'paused', now: next };
    });
  });

  useEffect(() => {
    if (course !== 'playing') return undefined;
    const pause = () => set((before) => ({ ...before, course: 'paused' }));
    document.addEventListener('visibilitychange', pause);
    return () => document.removeEventListener('visibilitychange', pause);
  }, [course]);

  const play = (from = now < duration ? now : 0) => set({ course: 'playing', now: from });
  return {
    course,
    now,
    chapter,
    ended: now >= duration,
    play,
    seek: (moment: number) => set({ course: course === 'playing' ? 'playing' : 'paused', now: moment }),
    toggle: () => (course === 'playing' ? set({ course: 'paused', now }) : play()),
  };
}
