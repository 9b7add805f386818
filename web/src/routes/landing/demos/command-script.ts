import type { Script } from '../../../components/app/play-script.ts';

// Milliseconds. A command stays for as long as it takes to write it, to try it and to read the answer.
const STAY = 10_000;
const CHARACTER = 50;
const BEGIN = 400;
const TRY = 3_800;

export const before =
  'We assigned 240 adults with low back pain at random to a daily walk or to their usual care.';
// A difference of 0.6 with this interval has a standard error of 0.36, so z = 1.68 and p = 0.09.
export const passage =
  'After twelve weeks, pain (0 to 10) was 0.6 points lower among the walkers (95% CI −0.1 to 1.3; p = 0.09).';

export const commands = [
  {
    name: 'Summarize',
    description: 'Two sentences: what they found, and how sure they are.',
    output: 'The walkers ended with slightly less pain. The difference is small, and it could be chance.',
  },
  {
    name: 'Explain',
    description: 'For a bright friend who never took statistics.',
    output:
      'Out of ten, the walkers felt 0.6 points better. The data fit anything from a hair worse to 1.3 better, so they show neither that walking helps nor that it doesn’t.',
  },
] as const;

/** The moments at which a command begins to be written, and at which it is tried. */
export const writtenAt = (command: number): number => command * STAY;
export const triedAt = (command: number): number => command * STAY + TRY;

/** `typed`: number of characters of the description. `tried`: whether the answer is there. */
export const commandScript: Script<{ command: number; typed: number; tried: boolean }> = {
  duration: commands.length * STAY,
  at(milliseconds) {
    const command = Math.min(commands.length - 1, Math.floor(milliseconds / STAY));
    const since = milliseconds - writtenAt(command);
    const length = commands[command]?.description.length ?? 0;
    return {
      command,
      typed: Math.min(length, Math.max(0, Math.floor((since - BEGIN) / CHARACTER))),
      tried: since >= TRY,
    };
  },
};
