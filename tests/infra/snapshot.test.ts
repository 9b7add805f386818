import { describe, expect, test } from 'vitest';
import { allowedLosses } from '../../infra/operate/review/allowed-losses.ts';
import { lossesBetween, sentenceOf } from '../../infra/operate/review/losses.ts';
import { currentSnapshots, snapshotFile } from '../../infra/operate/review/snapshot-files.ts';
import type { Resource } from '../../infra/operate/review/resource.ts';
import { differenceFrom, snapshotOf, textOf } from '../../infra/operate/review/snapshot.ts';
import type { StageName } from '../../infra/stages/stages.ts';
import { deployedTemplateOf, stageNames } from '../fixtures/aws/stack.ts';

const templates = { staging: deployedTemplateOf('staging'), production: deployedTemplateOf('production') };

const snapshotNow = (stage: StageName) =>
  snapshotOf(templates[stage].toJSON() as { Resources: Record<string, Resource> }, stage);

// Read before a renewal can write them.
const before = currentSnapshots();

/** A sentence for each table, pool, bucket, key or secret that a stage would lose. */
const unwantedLosses = (stages: readonly StageName[]): string[] =>
  stages
    .flatMap((stage) => lossesBetween(before[stage], snapshotNow(stage)))
    .filter(({ key }) => !allowedLosses.includes(key))
    .map(sentenceOf);

test.each(stageNames)('%s loses no table, pool, bucket, key or secret', (stage) => {
  expect(unwantedLosses([stage])).toEqual([]);
});

test.each(stageNames)('%s contains nothing of the local world', (stage) => {
  // Apps under development may listen there.
  const apps = /http:\/\/(localhost|127\.0\.0\.1)\/callback/g;
  const text = JSON.stringify(templates[stage].toJSON()).replaceAll(apps, '');
  expect(text).not.toMatch(/__local|localhost|127\.0\.0\.1/);
});

describe('the snapshot, which npm run snapshot renews,', () => {
  // A renewal would hide the loss. Production's snapshot is made of both files.
  const refuseLosses = (): void => expect(unwantedLosses(stageNames)).toEqual([]);

  test('has the template of staging', async () => {
    refuseLosses();
    await expect(textOf(snapshotNow('staging'))).toMatchFileSnapshot(snapshotFile('staging'));
  });

  test('has what differs in production', async () => {
    refuseLosses();
    const difference = differenceFrom(snapshotNow('staging'), snapshotNow('production'));
    await expect(textOf(difference)).toMatchFileSnapshot(snapshotFile('production'));
  });
});
