import { product } from '../../../../schemas/product/product.ts';

interface Chapter {
  title: string;
  caption: string;
  /** A description of the scene at `still`, for screen readers. */
  description: string;
  /** Start of the chapter, in milliseconds. The chapter ends where the next begins. */
  start: number;
  /** The moment that shows the chapter's subject best, in milliseconds. */
  still: number;
}

export const chapters: readonly Chapter[] = [
  {
    title: 'Highlight what you are reading',
    caption: 'Any text will do, in any app and on any website; copying it works just as well.',
    description: 'A letter from Ines in a mail window, with one long sentence and her question highlighted.',
    start: 0,
    still: 6_000,
  },
  {
    title: 'Press Command+G',
    caption: `${product.name} opens over what you are doing, with your text already in hand.`,
    description: 'The keys Command and G are down, and a small window has opened over the letter.',
    start: 6_500,
    still: 8_400,
  },
  {
    title: 'Choose a command',
    caption: 'Commands are your own instructions; one you pick in advance runs automatically.',
    description: 'The small window lists three commands. “Find the question” is chosen.',
    start: 10_500,
    still: 14_000,
  },
  {
    title: 'Add a context or two',
    caption: 'Contexts say how the answer should sound, and go with any command, alone or together.',
    description: 'Below the commands are three contexts. Detail and Deep are chosen, Comedic is not.',
    start: 15_000,
    still: 19_000,
  },
  {
    title: 'Read the answer where you are',
    caption: 'The text is sent to AI providers, and their answer comes back into the same small window.',
    description:
      'The answer in the small window: “She asks one thing outright: does Thursday suit you? And one between the lines: what does the middle part say?”',
    start: 19_500,
    still: 25_500,
  },
  {
    title: 'Have it written where you type',
    caption: 'Write roughly what you mean and let it be rewritten in place, as a draft you can still change.',
    description:
      'A reply to Ines: “Thursday suits me well. You are right about the middle: I will cut it.” The small window shows what was typed before: “yes thurs fine. middle is too long i know, will cut”.',
    start: 26_500,
    still: 35_000,
  },
  {
    title: 'Send it',
    caption: 'Command+Shift+Space hides the window, and the reply goes out when you say so.',
    description:
      'The small window is gone. Beside the keys Command, Shift and Space, the pointer presses Send in the reply.',
    start: 37_000,
    still: 41_200,
  },
];
