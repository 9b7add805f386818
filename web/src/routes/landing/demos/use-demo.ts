import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { DemoClock, type Script, Timeline } from './demo-clock.ts';

const clock = new DemoClock();
// A demo plays while this much of it is in sight: a good part of a tall one on a phone.
const IN_SIGHT = 0.3;
// Whoever comes upon a demo in sight gets to see the finished state for this long before it begins anew.
const GLIMPSE = 2_000;
const REDUCED = '(prefers-reduced-motion: reduce)';

export interface Demo<State> {
  /** What has to be in sight for it to play. */
  figure: RefObject<HTMLElement | null>;
  state: State;
  /** Plays the rest of a round from a moment on, paused or not. */
  playFrom(milliseconds: number): void;
  /** Stops it for good, at a moment or where it is. */
  hold(milliseconds?: number): void;
}

/** Plays a script on the page's clock. The first render shows its end, as the server's HTML does. */
export function useDemo<State>(script: Script<State>, course: 'looping' | 'once' = 'looping'): Demo<State> {
  const figure = useRef<HTMLElement>(null);
  const [timeline] = useState(() => new Timeline(script.duration, course));
  const [states] = useState(() => statesOf(script, timeline));
  const state = useSyncExternalStore(timeline.subscribe, states.now, states.atEnd);

  useEffect(() => {
    const element = figure.current;
    if (!element) return undefined;
    let seen = false;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!seen && !clock.paused) {
          if (!entry.isIntersecting) timeline.seek(0);
          else if (course === 'looping') timeline.seek(script.duration - GLIMPSE);
        }
        seen = true;
        const inSight = entry.intersectionRatio >= IN_SIGHT;
        element.dataset['inSight'] = String(inSight);
        if (inSight) clock.run(timeline);
        else clock.stop(timeline);
      },
      { threshold: [0, IN_SIGHT] },
    );
    const reduced = matchMedia(REDUCED);
    const followPreference = () => {
      if (reduced.matches) {
        clock.pause();
        timeline.seek(script.duration);
      } else {
        clock.resume();
      }
    };
    if (reduced.matches) clock.pause();
    reduced.addEventListener('change', followPreference);
    observer.observe(element);
    return () => {
      observer.disconnect();
      reduced.removeEventListener('change', followPreference);
      clock.stop(timeline);
    };
  }, [timeline, script, course]);

  return {
    figure,
    state,
    playFrom: (milliseconds) => {
      timeline.playFrom(milliseconds);
      clock.run(timeline);
    },
    hold: (milliseconds) => timeline.hold(milliseconds),
  };
}

/** Whether all demos are paused, and the way to change it. */
export function usePaused(): [paused: boolean, setPaused: (paused: boolean) => void] {
  const paused = useSyncExternalStore(
    clock.subscribe,
    () => clock.paused,
    () => false,
  );
  return [paused, (next) => (next ? clock.pause() : clock.resume())];
}

/** The states of a script as React wants them: the same object for as long as nothing in it changes. */
function statesOf<State>(script: Script<State>, timeline: Timeline) {
  const end = script.at(script.duration);
  let current = end;
  return {
    now: () => {
      const next = script.at(timeline.elapsed);
      if (JSON.stringify(next) !== JSON.stringify(current)) current = next;
      return current;
    },
    atEnd: () => end,
  };
}
