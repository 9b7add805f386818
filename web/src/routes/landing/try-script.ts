/** Commands, of which the first replaces the sentence, as in Write Mode. */
export const commands = ['Say it plainly', 'Summarize', 'Explain'] as const;

/** The letter's sentences, each with an answer to every command. */
export const sentences = [
  {
    text: 'Thank you for sending it so soon.',
    answers: [
      'Thanks for the quick draft.',
      'Thanks.',
      'It thanks first, so that what follows is easier to take.',
    ],
  },
  {
    text: 'I read it twice on the train.',
    answers: [
      'I read it twice.',
      'Read twice.',
      'It says how closely it was read. “On the train” says that it couldn’t wait until home.',
    ],
  },
  {
    text: 'The middle could be shorter, but the ending is lovely: don’t touch it.',
    answers: [
      'Shorten the middle. Keep the ending.',
      'Middle: shorter. Ending: as it is.',
      'One thing to change, one to leave alone. The praise comes last, where it stays.',
    ],
  },
  {
    text: 'Be honest with me.',
    answers: ['Tell me the truth.', 'She wants the truth.', 'She expects bad news, and asks for it anyway.'],
  },
] as const;

export type Sentence = (typeof sentences)[number];

/** The place of a sentence in the letter. Undefined if it isn't there, or is hidden. */
export function rangeOf({ text }: Sentence, letter: Element): Range | undefined {
  const walker = document.createTreeWalker(letter, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.nodeValue?.indexOf(text) ?? -1;
    if (at === -1) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + text.length);
    if (range.getClientRects().length > 0) return range;
  }
  return undefined;
}

const meet = (a: Range, b: Range): boolean =>
  a.compareBoundaryPoints(Range.END_TO_START, b) < 0 && a.compareBoundaryPoints(Range.START_TO_END, b) > 0;

/** The sentence of the letter that a selection touches. */
export const selectedSentence = (letter: Element, selection: Range): Sentence | undefined =>
  sentences.find((sentence) => {
    const range = rangeOf(sentence, letter);
    return range && meet(selection, range);
  });
