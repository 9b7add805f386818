import type { Script } from '../../../components/app/play-script.ts';

// Milliseconds.
const STAY = 3_000;
/** Milliseconds from the start of a stay until the next words are selected. */
const SELECT = 1_900;

/** The overlay's stops in order, each with its selected words and the command that runs on them. */
export const places = [
  {
    app: 'Mail',
    lang: 'de',
    before: 'Guten Tag, und danke für die schnelle Lieferung.',
    words: 'Leider fehlten die Schrauben; sonst ist alles heil angekommen.',
    after: 'Könnten Sie sie nachschicken?',
    command: 'Translate',
    answer: 'The screws were missing, I’m afraid; everything else arrived in one piece.',
  },
  {
    app: 'Terminal',
    lang: 'en',
    before: '% git push',
    words: '! [rejected] main -> main (fetch first)',
    after: 'error: failed to push some refs to origin',
    command: 'Explain',
    answer: 'Someone pushed before you. Pull their commits, then push again.',
  },
  {
    app: 'Preview',
    lang: 'en',
    before: 'How to prepare',
    words:
      'Patients must refrain from solid food for six hours, and from clear fluids for two hours, prior to the procedure.',
    after: 'Please bring a list of your medicines.',
    command: 'Say it plainly',
    answer: 'Eat nothing in the six hours before. You may drink water until two hours before.',
  },
] as const;

/** Index of the window with the overlay, and of the window with the selection. */
interface Visit {
  place: number;
  selected: number;
}

/** The script's round ends at the first stop, so that nothing jumps. */
export const overlayScript: Script<Visit> = {
  duration: places.length * STAY,
  at(milliseconds) {
    const stay = Math.floor(milliseconds / STAY);
    const since = milliseconds % STAY;
    return {
      place: stay % places.length,
      selected: (stay + Number(since >= SELECT)) % places.length,
    };
  },
};
