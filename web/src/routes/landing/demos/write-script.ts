import type { Script } from '../../../components/app/play-script.ts';

/** Milliseconds from the start of the round to the press of the button. */
export const PRESSED = 2_500;
// Milliseconds.
const WRITING = 1_500;
const READING = 7_000;

export const draft =
  'hi noor, so, we gave the job to someone else. it was really close, your portfolio was the best one, but theyve led a team before and we need that now. sorry this comes by email, call me if you want to talk it through.';
export const polished = [
  'Dear Noor,',
  'I’m sorry to say that we have given the job to someone else. It was very close. Your portfolio was the best we saw, but they have led a team before, and that is what we need now.',
  'I’m sorry, too, that this comes by email: please call me if you would like to talk it through.',
] as const;

type Writing = 'rough' | 'writing' | 'polished';

export const writeScript: Script<{ step: Writing }> = {
  duration: PRESSED + WRITING + READING,
  at(milliseconds) {
    if (milliseconds < PRESSED) return { step: 'rough' };
    return { step: milliseconds < PRESSED + WRITING ? 'writing' : 'polished' };
  },
};
