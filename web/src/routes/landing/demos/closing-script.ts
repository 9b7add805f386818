import type { Script } from './demo-clock.ts';

// Long enough for whoever scrolls down to arrive at the words.
const SELECT = 500;

export const closingScript: Script<{ selected: boolean }> = {
  duration: SELECT,
  at: (milliseconds) => ({ selected: milliseconds >= SELECT }),
};
