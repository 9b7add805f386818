import type { Script } from '../../../components/app/play-script.ts';

// Milliseconds, long enough for scrolling to end.
const SELECT = 500;

export const closingScript: Script<{ selected: boolean }> = {
  duration: SELECT,
  at: (milliseconds) => ({ selected: milliseconds >= SELECT }),
};
