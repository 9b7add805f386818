/** Commands, of which the first replaces the sentence, as in Write Mode. */
export const commands = ['Say it plainly', 'Summarize', 'Explain'] as const;

/** The answers to every command, by the numbers of the letter's sentences in hero-drawing.tsx. */
export const answers = [
  ['Thanks for the quick draft.', 'Thanks.', 'It thanks first, so that what follows is easier to take.'],
  [
    'I read it twice.',
    'Read twice.',
    'It says how closely it was read. “On the train” says that it couldn’t wait until home.',
  ],
  [
    'Shorten the middle. Keep the ending.',
    'Middle: shorter. Ending: as it is.',
    'One thing to change, one to leave alone. The praise comes last, where it stays.',
  ],
  ['Tell me the truth.', 'She wants the truth.', 'She expects bad news, and asks for it anyway.'],
] as const;
