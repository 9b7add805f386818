import type { Script } from './demo-clock.ts';

const STAY = 5_000;

export const contexts = [
  { id: 'funny', label: 'Comedic', description: 'One joke, kept straight-faced.' },
  { id: 'detailed', label: 'Detail', description: 'Who, what, where and until when.' },
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
    title: 'No context',
    text: 'The coffee machine on the second floor is out of order until Friday. Please use the one downstairs.',
  },
  funny: {
    title: 'With a straight face, barely',
    text: 'The coffee machine on the second floor has handed in its notice, effective until Friday. The one downstairs has agreed to cover its shifts. Please be kind to it.',
  },
  detailed: {
    title: 'Nothing left to ask',
    text: 'The coffee machine on the second floor is out of order: its pump failed this morning. The part comes on Thursday, the repair on Friday. Until then, please use the machine on the ground floor, to the left of the stairs.',
  },
  philosopher: {
    title: 'What the silence says',
    text: 'The coffee machine on the second floor has stopped, and so, for once, we notice it. Until Friday, go downstairs for what used to come without asking. A habit is only seen on the day it is interrupted.',
  },
  'funny+detailed': {
    title: 'All the facts, and a grin',
    text: 'At ten past nine the pump of the second-floor coffee machine resigned without notice. Its successor arrives on Thursday and takes office on Friday. The machine on the ground floor, left of the stairs, is acting head of coffee.',
  },
  'funny+philosopher': {
    title: 'To brew or not to brew',
    text: 'If a coffee machine hums on the second floor and no coffee comes, is it still a coffee machine? Facilities say no, until Friday. Seek the one downstairs. It asks nothing of you but a cup.',
  },
  'detailed+philosopher': {
    title: 'The facts, and what they weigh',
    text: 'The pump of the second-floor machine failed this morning; the part comes on Thursday, the repair on Friday. Until then there is the machine on the ground floor, left of the stairs. What we lean on we seldom look at, until it gives way.',
  },
  'funny+detailed+philosopher': {
    title: 'A complete theory of coffee',
    text: 'At ten past nine the second-floor machine ceased to pump and began, at last, simply to be. A new pump comes on Thursday; by Friday it will have forgotten everything. Downstairs, left of the stairs, its colleague makes coffee and asks no questions. We could learn from it.',
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

// Each step adds or removes one context, and all eight combinations are shown.
const round: readonly (readonly ContextId[])[] = [
  [],
  ['funny'],
  ['funny', 'detailed'],
  ['detailed'],
  ['detailed', 'philosopher'],
  ['philosopher'],
  ['funny', 'philosopher'],
  ['funny', 'detailed', 'philosopher'],
];

export const contextScript: Script<{ chosen: readonly ContextId[] }> = {
  duration: round.length * STAY,
  at: (milliseconds) => ({
    chosen: round[Math.min(round.length - 1, Math.floor(milliseconds / STAY))] ?? [],
  }),
};
