import type { Script } from './demo-clock.ts';

// Milliseconds per typed character.
const CHARACTER = 50;
/** Milliseconds between selecting a sentence and typing, and between a question and its answer. */
const PAUSE = 700;
const READING = 5_000;

/** The sentences with their questions, in the order shown. */
export const sentences = [
  {
    text: 'It renews for further terms of twelve months unless either party gives notice in writing at least ninety days before the current term ends.',
    question: 'We signed on 1 March. When must I write?',
    answer: 'Before the end of November. The term ends with February, and ninety days count back from there.',
  },
  {
    text: 'The Contractor shall indemnify the Client against all losses arising from the services, however caused.',
    question: 'Even when the mistake is theirs?',
    answer: 'As written, yes: “however caused” leaves nothing out. Ask to limit it to your own negligence.',
  },
] as const;

/** Which sentence is selected, and how many characters of each question and answer are typed. */
export interface Analysis {
  sentence: number;
  typed: readonly { question: number; answer: number }[];
}

interface Turn {
  questionAt: number;
  answerAt: number;
  end: number;
}

const turns = sentences.reduce<Turn[]>((before, { question, answer }) => {
  const questionAt = (before.at(-1)?.end ?? 0) + PAUSE;
  const answerAt = questionAt + question.length * CHARACTER + PAUSE;
  return [...before, { questionAt, answerAt, end: answerAt + answer.length * CHARACTER + PAUSE }];
}, []);
const typing = turns.at(-1)?.end ?? 0;

const typedSince = (start: number, now: number, length: number): number =>
  Math.min(length, Math.max(0, Math.floor((now - start) / CHARACTER)));

export const analyzeScript: Script<Analysis> = {
  duration: typing + READING,
  at(milliseconds) {
    const current = turns.findIndex(({ end }) => milliseconds < end);
    return {
      sentence: current < 0 ? sentences.length - 1 : current,
      typed: sentences.map(({ question, answer }, index) => ({
        question: typedSince(turns[index]?.questionAt ?? 0, milliseconds, question.length),
        answer: typedSince(turns[index]?.answerAt ?? 0, milliseconds, answer.length),
      })),
    };
  },
};
