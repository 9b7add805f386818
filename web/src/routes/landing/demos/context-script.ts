import type { Script } from './demo-clock.ts';

const STAY = 5_000;

export const contexts = [
  { id: 'funny', label: 'Comedic', description: 'One joke, kept straight-faced.' },
  { id: 'detailed', label: 'Detail', description: 'What, when, and what to do about it.' },
  { id: 'philosopher', label: 'Deep', description: 'What it says about the rest of life.' },
] as const;

export type ContextId = (typeof contexts)[number]['id'];

interface Version {
  title: string;
  text: string;
}

// Keys are the chosen ids in the order above, joined by `+`.
const versions: Record<string, Version> = {
  '': {
    title: 'Your order is delayed',
    text: 'We’re sorry: your lamp is delayed and will reach you on Friday. If that is too late, tell us and we’ll refund it.',
  },
  funny: {
    title: 'Your lamp is in the dark',
    text: 'Your lamp has spent the week in a depot with the lights off, which for a lamp is hard. We’re sorry. It will reach you on Friday. If that is too late, tell us and we’ll refund it.',
  },
  detailed: {
    title: 'Your lamp: Friday, nine to one',
    text: 'We’re sorry: your lamp missed Tuesday’s van and is still at our depot. It will reach you on Friday between nine and one; nobody needs to sign. If that is too late, reply and we’ll refund it in full, delivery included.',
  },
  philosopher: {
    title: 'A promise and a lamp',
    text: 'A promise is like a lamp: we notice it on the evening it isn’t there. We’re sorry. Yours will be there on Friday. If that is too late, tell us and we’ll refund it.',
  },
  'funny+detailed': {
    title: 'In the dark until Friday at nine',
    text: 'Your lamp missed Tuesday’s van and has sat in our depot ever since, in the dark, of all things. We’re sorry. It arrives on Friday between nine and one, and won’t ask for a signature. If that is too late, reply and we’ll refund it in full, delivery included.',
  },
  'funny+philosopher': {
    title: 'What is a lamp in the dark?',
    text: 'Is a lamp in a dark depot still a lamp? Yours has had all week to think about it, and we’re sorry that you had to as well. It brings its answer on Friday. If that is too late, tell us and we’ll refund it.',
  },
  'detailed+philosopher': {
    title: 'Three evenings, and Friday',
    text: 'Your lamp missed Tuesday’s van. It arrives on Friday between nine and one; nobody needs to sign. We’re sorry: to buy a lamp is to count on an evening, and we have cost you three. If that is too late, reply and we’ll refund it in full, delivery included.',
  },
  'funny+detailed+philosopher': {
    title: 'The lamp, the dark and the timetable',
    text: 'Is a lamp in a dark depot still a lamp? Yours has wondered since it missed Tuesday’s van. It arrives on Friday between nine and one, needs no signature, and owes you three evenings. So do we, and we’re sorry. If that is too late, reply and we’ll refund it in full, delivery included.',
  },
};

/** The keys of all combinations. */
export const combinations = Object.keys(versions);

export const combinationOf = (chosen: ReadonlySet<ContextId>): string =>
  contexts
    .map(({ id }) => id)
    .filter((id) => chosen.has(id))
    .join('+');

export function versionOf(combination: string): Version {
  const version = versions[combination];
  if (!version) throw new Error(`Nothing is written for ${combination}.`);
  return version;
}

// Each step adds or removes one context, from the last back to the first too, and all eight are shown.
const round: readonly (readonly ContextId[])[] = [
  ['funny'],
  [],
  ['philosopher'],
  ['funny', 'philosopher'],
  ['funny', 'detailed', 'philosopher'],
  ['detailed', 'philosopher'],
  ['detailed'],
  ['funny', 'detailed'],
];

export const contextScript: Script<{ chosen: readonly ContextId[] }> = {
  duration: round.length * STAY,
  at: (milliseconds) => ({
    chosen: round[Math.min(round.length - 1, Math.floor(milliseconds / STAY))] ?? [],
  }),
};
