import type { Script } from './demo-clock.ts';

const STAY = 6_000;

export const passage =
  'The tenant shall, upon no fewer than thirty days’ written notice, be entitled to terminate this agreement, provided that all sums then due have been discharged.';

export const commands = [
  {
    name: 'Summarize',
    description: 'Two sentences at most: what it says, and what it wants of me.',
    output: 'You may leave with thirty days’ notice in writing. Pay what you owe by then.',
  },
  {
    name: 'Explain',
    description: 'As you would to a bright friend who is no lawyer.',
    output:
      'You can end the lease whenever you like. Say so in writing at least thirty days before, and leave no bill open: if one is, they can hold you to the lease.',
  },
] as const;

export const commandScript: Script<{ command: number }> = {
  duration: commands.length * STAY,
  at: (milliseconds) => ({ command: Math.min(commands.length - 1, Math.floor(milliseconds / STAY)) }),
};
