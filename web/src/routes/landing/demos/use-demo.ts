import { type RefObject, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { type Script, useTicks } from '../../../components/app/play-script.ts';
import { storeOf } from '../../../session/store.ts';

// A demo plays while this fraction is in view. Tall demos on a phone never show more.
const IN_SIGHT = 0.3;
// Milliseconds for which a demo that is in view from the start shows its final state before it starts over.
const GLIMPSE = 2_000;

/** `once` and `requested` end in `held`. `requested` plays even while the demos are paused. */
type Course = 'looping' | 'once' | 'requested' | 'held';

export interface Demo<State> {
  /** The element that must be in view for the demo to play. */
  figure: RefObject<HTMLElement | null>;
  state: State;
  /** Plays from a position to the end of the round, even while the demos are paused. */
  playFrom(milliseconds: number): void;
  /** Stops for good, at a position or at the current one. */
  hold(milliseconds?: number): void;
}

/** Plays a script in a loop or once. The first render shows the final state, as the server's HTML does. */
export function useDemo<State>(script: Script<State>, initial: 'looping' | 'once' = 'looping'): Demo<State> {
  const { duration } = script;
  const figure = useRef<HTMLElement>(null);
  const elapsed = useRef(duration);
  const [state, setState] = useState(() => script.at(duration));
  const [course, setCourse] = useState<Course>(initial);
  const [inSight, setInSight] = useState(false);
  const [isPaused] = usePaused();

  const seek = (milliseconds: number) => {
    elapsed.current = milliseconds;
    const next = script.at(milliseconds);
    setState((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  };
  const playsAlone = inSight && !isPaused && course !== 'held';
  useTicks(course === 'requested' || playsAlone, (passed) => {
    const from = course === 'looping' && elapsed.current >= duration ? 0 : elapsed.current;
    // After a long sleep of the page, stop at the end instead of jumping into the next round.
    seek(Math.min(duration, from + passed));
    if (course !== 'looping' && elapsed.current >= duration) setCourse('held');
  });

  const begin = useEffectEvent((isInView: boolean) => {
    if (paused.get()) return;
    if (!isInView) seek(0);
    else if (course === 'looping') seek(duration - GLIMPSE);
  });
  const end = useEffectEvent(() => seek(duration));
  useEffect(() => {
    const element = figure.current;
    if (!element) return undefined;
    let seen = false;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!seen) begin(entry.isIntersecting);
        seen = true;
        const isInSight = entry.intersectionRatio >= IN_SIGHT;
        element.dataset['inSight'] = String(isInSight);
        setInSight(isInSight);
      },
      { threshold: [0, IN_SIGHT] },
    );
    const reduced = matchMedia('(prefers-reduced-motion: reduce)');
    const applyPreference = () => {
      paused.set(reduced.matches);
      if (reduced.matches) end();
    };
    if (reduced.matches) applyPreference();
    reduced.addEventListener('change', applyPreference);
    observer.observe(element);
    return () => {
      observer.disconnect();
      reduced.removeEventListener('change', applyPreference);
    };
  }, []);

  return {
    figure,
    state,
    playFrom: (milliseconds) => {
      seek(milliseconds);
      setCourse('requested');
    },
    hold: (milliseconds = elapsed.current) => {
      seek(milliseconds);
      setCourse('held');
    },
  };
}

/** Whether the user has paused all demos, or prefers reduced motion. */
const paused = storeOf(false);

export function usePaused(): [paused: boolean, toggle: () => void] {
  const isPaused = useSyncExternalStore(paused.subscribe, paused.get, () => false);
  return [isPaused, () => paused.set(!paused.get())];
}
