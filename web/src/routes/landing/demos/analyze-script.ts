import type { Script } from '../../../components/app/play-script.ts';

// Milliseconds per typed character.
const CHARACTER = 50;
/** Milliseconds before each line. */
const PAUSE = 700;
/** Milliseconds from the selection of the second sentence to its question. */
const SELECT = 400;
const READING = 5_000;

export const sentences = [
  {
    text: 'It renews for further terms of twelve months unless either party gives notice in writing at least ninety days before the current term ends.',
    question: 'We signed on March 1. When must I write?',
    answer:
      'Before the end of November. The term runs through February, and ninety days count back from there.',
  },
  {
    text: 'The Contractor shall indemnify the Client against all losses arising from the services, however caused.',
    question: 'Even when the mistake is theirs?',
    answer: 'As written, yes: “however caused” leaves nothing out. Ask to limit it to your own negligence.',
  },
] as const;

const lines = sentences.flatMap(({ question, answer }) => [question, answer]);

let end = 0;
const starts = lines.map((line) => {
  const start = end + PAUSE;
  end = start + line.length * CHARACTER;
  return start;
});

/** The selected sentence, and the number of typed characters of each question and its answer, in turn. */
interface Analysis {
  sentence: number;
  typed: readonly number[];
}

export const analyzeScript: Script<Analysis> = {
  duration: end + READING,
  at: (milliseconds) => ({
    sentence: Number(milliseconds >= (starts[2] ?? 0) - SELECT),
    typed: lines.map((line, index) =>
      Math.min(line.length, Math.max(0, Math.floor((milliseconds - (starts[index] ?? 0)) / CHARACTER))),
    ),
  }),
};
