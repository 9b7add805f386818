import type { Script } from './demo-clock.ts';

/** When the button is pressed, in milliseconds from the start of the round. */
export const PRESSED = 2_500;
// Milliseconds.
const WRITING = 1_500;
const READING = 7_000;

export const draft =
  'hey so about thursday, cant do it anymore bc of the plumber, could we do friday or sometime next wk? also the draft is good, just page 3 is kind of a lot. sry this is so last minute';
export const polished =
  'I’m sorry to say this so late: I can’t do Thursday any more, because the plumber is coming. Could we make it Friday, or some time next week? The draft is good. Only page three is rather a lot.';

type Writing = 'rough' | 'writing' | 'polished';

export const writeScript: Script<{ step: Writing }> = {
  duration: PRESSED + WRITING + READING,
  at(milliseconds) {
    if (milliseconds < PRESSED) return { step: 'rough' };
    return { step: milliseconds < PRESSED + WRITING ? 'writing' : 'polished' };
  },
};
