import { readOwner } from './owner.ts';
import { placeholdersOf } from './placeholders.ts';
import type { Stage } from './stage.ts';
import type { StageName } from './stages.ts';

/** The reasons why a stage's settings can't be deployed, as sentences. */
export function problemsOf(stageName: StageName, stage: Stage, owner = readOwner): string[] {
  return [
    ...placeholdersOf(stageName, stage, owner).map(
      ({ file, setting }) => `${setting} is still a placeholder. Set it in ${file}.`,
    ),
    ...prefixProblems(stageName, stage),
  ];
}

// Cognito's rules for `Domain` (CreateUserPoolDomain, API reference).
const PREFIX = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const RESERVED = /aws|amazon|cognito/;

const prefixProblems = (stageName: StageName, { signInPrefix }: Stage): string[] =>
  PREFIX.test(signInPrefix) && !RESERVED.test(signInPrefix)
    ? []
    : [
        `signInPrefix is "${signInPrefix}", which Cognito refuses: lower-case letters, digits and hyphens, without aws, amazon and cognito. Set it in infra/stages/${stageName}.ts.`,
      ];
