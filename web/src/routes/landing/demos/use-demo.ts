import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { DemoClock, type Script, Timeline } from './demo-clock.ts';

const clock = new DemoClock();
// A demo plays while this fraction is in view. Tall demos on a phone never show more.
const IN_SIGHT = 0.3;
// Milliseconds for which a demo that is in view from the start shows its final state before it starts over.
const GLIMPSE = 2_000;
const REDUCED = '(prefers-reduced-motion: reduce)';

export interface Demo<State> {
  /** The element that must be in view for the demo to play. */
  figure: RefObject<HTMLElement | null>;
  state: State;
  /** Plays from a position to the end of the round, even while the demos are paused. */
  playFrom(milliseconds: number): void;
  /** Stops for good, at a position or at the current one. */
  hold(milliseconds?: number): void;
}

/** Plays a script on the page's clock. The first render shows the final state, as the server's HTML does. */
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
    const applyPreference = () => {
      if (reduced.matches) {
        clock.pause();
        timeline.seek(script.duration);
      } else {
        clock.resume();
      }
    };
    if (reduced.matches) clock.pause();
    reduced.addEventListener('change', applyPreference);
    observer.observe(element);
    return () => {
      observer.disconnect();
      reduced.removeEventListener('change', applyPreference);
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

/** Whether all demos are paused, and a function that changes it. */
export function usePaused(): [paused: boolean, toggle: () => void] {
  const paused = useSyncExternalStore(
    clock.subscribe,
    () => clock.paused,
    () => false,
  );
  return [paused, () => (paused ? clock.resume() : clock.pause())];
}

/** Snapshots for useSyncExternalStore: the same object until its content changes. */
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
