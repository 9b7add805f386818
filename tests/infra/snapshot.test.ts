import { describe, expect, test } from 'vitest';
import { allowedLosses } from '../../infra/changes/allowed-losses.ts';
import { lossesBetween, sentenceOf } from '../../infra/changes/losses.ts';
import { currentSnapshots, snapshotFile } from '../../infra/changes/snapshot-files.ts';
import { differenceFrom, type Resource, snapshotOf, textOf } from '../../infra/changes/snapshot.ts';
import type { StageName } from '../../infra/stages.ts';
import { stageNames, templatesOf } from '../fixtures/stack.ts';

const snapshotNow = (stage: StageName) =>
  snapshotOf(templatesOf()[stage].toJSON() as { Resources: Record<string, Resource> }, stage);

// Read before a renewal can write them.
const before = currentSnapshots();

/** A sentence for each table, pool, bucket, key or secret that the stage would lose. */
const unwantedLosses = (stage: StageName): string[] =>
  lossesBetween(before[stage], snapshotNow(stage))
    .filter(({ key }) => !allowedLosses.includes(key))
    .map(sentenceOf);

test.each(stageNames)('%s loses no table, pool, bucket, key or secret', (stage) => {
  expect(unwantedLosses(stage)).toEqual([]);
});

describe('the snapshot, which npm run snapshot renews,', () => {
  test('has the template of staging', async () => {
    // A renewal would hide the loss.
    expect(unwantedLosses('staging')).toEqual([]);
    await expect(textOf(snapshotNow('staging'))).toMatchFileSnapshot(snapshotFile('staging'));
  });

  test('has what differs in production', async () => {
    expect(unwantedLosses('production')).toEqual([]);
    const difference = differenceFrom(snapshotNow('staging'), snapshotNow('production'));
    await expect(textOf(difference)).toMatchFileSnapshot(snapshotFile('production'));
  });
});
