import { isStageName, type StageName, stages } from '../stages.ts';

/** The stage that a command line names first. Without one, prints the usage and ends the process. */
export function stageNameFrom([, script = '', name]: readonly string[]): StageName {
  if (isStageName(name)) return name;
  const command = /(\w[\w-]*)\.ts$/.exec(script)?.[1] ?? '';
  console.error(`Name a stage: npm run ${command} -- ${Object.keys(stages).join('|')}`);
  return process.exit(2);
}
