import type { Script } from '../../../components/app/play-script.ts';

const STAY = 5_000;

export const contexts = [
  { id: 'funny', label: 'Comedic', description: 'One joke, kept straight-faced.' },
  { id: 'detailed', label: 'Detail', description: 'What, when, and what to do about it.' },
  { id: 'philosopher', label: 'Deep', description: 'What it says about the rest of life.' },
] as const;

/** The answer's versions. The index is a choice of contexts: bit n is set if context n is chosen. */
export const versions = [
  {
    title: 'Your order is delayed',
    text: 'We’re sorry: your lamp is delayed and will reach you on Friday. If that is too late, we’ll refund it.',
  },
  {
    title: 'Your lamp is in the dark',
    text: 'Your lamp has spent the week in a depot with the lights off, which for a lamp is hard. We’re sorry. It will reach you on Friday. If that is too late, we’ll refund it.',
  },
  {
    title: 'Your lamp: Friday, nine to one',
    text: 'We’re sorry: your lamp missed Tuesday’s van. It will reach you on Friday between nine and one; nobody needs to sign. If that is too late, we’ll refund it.',
  },
  {
    title: 'In the dark until Friday at nine',
    text: 'Your lamp missed Tuesday’s van and has sat in a depot since, in the dark, of all things. We’re sorry. It will reach you on Friday between nine and one. If that is too late, we’ll refund it.',
  },
  {
    title: 'A promise and a lamp',
    text: 'A promise is like a lamp: we notice it on the evening it isn’t there. We’re sorry. Yours will reach you on Friday. If that is too late, we’ll refund it.',
  },
  {
    title: 'What is a lamp in the dark?',
    text: 'Is a lamp in a dark depot still a lamp? Yours has had all week to think about it. We’re sorry. It will reach you on Friday. If that is too late, we’ll refund it.',
  },
  {
    title: 'Three evenings, and Friday',
    text: 'Your lamp missed Tuesday’s van. It will reach you on Friday between nine and one. We’re sorry: to buy a lamp is to count on an evening, and we cost you three. If that is too late, we’ll refund it.',
  },
  {
    title: 'The lamp, the dark and the timetable',
    text: 'Is a lamp in a dark depot still a lamp? Yours has wondered since it missed Tuesday’s van. It will reach you on Friday between nine and one, and owes you three evenings. So do we. We’re sorry. If that is too late, we’ll refund it.',
  },
] as const;

export const isChosen = (choice: number, context: number): boolean => Boolean(choice & (1 << context));

// Each step adds or removes one context, even from the last back to the first, and all eight are shown.
const round = [1, 0, 4, 5, 7, 6, 2, 3];

export const contextScript: Script<{ choice: number }> = {
  duration: round.length * STAY,
  at: (milliseconds) => ({ choice: round[Math.floor(milliseconds / STAY)] ?? 3 }),
};
