import { isStageName, type StageName, stages } from '../stages/stages.ts';
import { UsageError } from './usage-error.ts';

/** The stage, which a command line names first. */
export function stageNameFrom([name]: readonly string[]): StageName {
  if (isStageName(name)) return name;
  throw new UsageError(`Name a stage: ${Object.keys(stages).join(' or ')}.`);
}
