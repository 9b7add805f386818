import { isDeepStrictEqual } from 'node:util';
import type { Resource } from './resource.ts';

/** A change in place that CloudFormation takes for harmless. */
export interface Regret {
  property: string;
  /** The reason not to make it, as a clause. */
  why: string;
}

type Named = Record<string, unknown>;
const byName = (list: unknown, key: string): Map<string, Named> =>
  new Map(((list ?? []) as Named[]).map((each) => [String(each[key]), each]));

/** The entries that a list no longer has, or has changed. */
const lostFrom = (before: Map<string, Named>, after: Map<string, Named>): string[] =>
  [...before].filter(([name, each]) => !isDeepStrictEqual(each, after.get(name))).map(([name]) => name);

function* poolRegrets(before: Named, after: Named): Generator<Regret> {
  const now = after['Schema'];
  // Without any, the pool keeps what it has.
  if (now !== undefined && lostFrom(byName(before['Schema'], 'Name'), byName(now, 'Name')).length > 0)
    yield { property: 'Schema', why: 'Cognito neither changes nor removes an attribute' };
  for (const property of ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration']) {
    if (!isDeepStrictEqual(before[property], after[property]))
      yield { property, why: 'Cognito changes this in a new pool alone' };
  }
}

function* tableRegrets(before: Named, after: Named): Generator<Regret> {
  const property = 'GlobalSecondaryIndexes';
  const [old, now] = [before, after].map((each) => byName(each[property], 'IndexName')) as [
    Map<string, Named>,
    Map<string, Named>,
  ];
  const lost = lostFrom(old, now);
  const made = lostFrom(now, old);
  if (lost.length > 0) yield { property, why: 'functions that still run read the index' };
  else if (made.length > 1) yield { property, why: 'DynamoDB makes one index in a deployment' };
  const recovers = ({ PointInTimeRecoverySpecification: each }: Named): boolean =>
    (each as Named | undefined)?.['PointInTimeRecoveryEnabled'] === true;
  if (recovers(before) && !recovers(after))
    yield { property: 'PointInTimeRecoverySpecification', why: 'its backups would be lost' };
  const ttl = 'TimeToLiveSpecification';
  if (before[ttl] !== undefined && !isDeepStrictEqual(before[ttl], after[ttl]))
    yield { property: ttl, why: 'DynamoDB takes no other attribute in the same deployment' };
}

const regrets: Readonly<Record<string, (before: Named, after: Named) => Iterable<Regret>>> = {
  'AWS::Cognito::UserPool': poolRegrets,
  'AWS::DynamoDB::Table': tableRegrets,
};

/**
 * The changes that CloudFormation calls an update without interruption, and that services refuse, on the way
 * back too, or can't undo.
 */
export function regretsBetween(before: Resource, after: Resource): Regret[] {
  const found = [...(regrets[before.Type]?.(before.Properties ?? {}, after.Properties ?? {}) ?? [])];
  for (const property of ['DeletionPolicy', 'UpdateReplacePolicy'] as const) {
    if (before[property]?.startsWith('Retain') && !after[property]?.startsWith('Retain'))
      found.push({ property, why: 'nothing would keep it from being deleted' });
  }
  return found;
}
