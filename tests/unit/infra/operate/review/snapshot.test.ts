import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../../infra/operate/review/resource.ts';
import {
  differenceFrom,
  readDifference,
  readSnapshot,
  type Snapshot,
  snapshotOf,
  textOf,
  withDifference,
} from '../../../../../infra/operate/review/snapshot.ts';

const stackOf = (resources: Record<string, Resource>): Snapshot =>
  snapshotOf({ Resources: resources }, 'staging');
const topic = (properties: object): Resource => ({ Type: 'AWS::SNS::Topic', Properties: { ...properties } });
const lambda = (properties: object): Resource => ({
  Type: 'AWS::Lambda::Function',
  Properties: { ...properties },
});
const metricFilter: Resource = { Type: 'AWS::Logs::MetricFilter', Properties: {} };

describe('a snapshot', () => {
  const written = (Properties: Record<string, unknown>) => textOf(stackOf({ A: { Type: 'T', Properties } }));

  test('has no hash of an asset', () => {
    expect(written({ Key: `${'0a'.repeat(32)}.zip` })).toContain('Key: asset.zip');
  });

  test('has joined texts in one piece', () => {
    const joined = {
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':', { 'Fn::GetAtt': ['B', 'Arn'] }]],
    };
    expect(written({ Arn: joined })).toContain('arn:${AWS::Partition}:${B.Arn}');
  });

  test('doesn’t depend on the order in the template', () => {
    const one = { A: topic({ X: 1, Y: 2 }), B: metricFilter };
    const other = { B: metricFilter, A: topic({ Y: 2, X: 1 }) };
    expect(textOf(stackOf(one))).toBe(textOf(stackOf(other)));
  });

  test('reads as what it was written from, whatever its texts look like', () => {
    const texts = [
      'yes',
      '12',
      'a: b',
      '# no',
      '',
      '"',
      'x'.repeat(300),
      'a\nb',
      ' a',
      'null',
      '*',
      '2026-01-01',
    ];
    const snapshot = stackOf({
      A: topic({ texts, map: Object.fromEntries(texts.map((text) => [text, {}])), empty: [] }),
    });
    expect(readSnapshot(textOf(snapshot))).toEqual(snapshot);
  });

  test('names no stage, so that two stages differ only where they do', () => {
    const named = (stage: string) =>
      snapshotOf(
        { Resources: { A: topic({ Name: `selfsame-${stage}`, Secret: `selfsame/${stage}/x` }) } },
        stage,
      );
    expect(named('staging')).toEqual(named('production'));
  });

  test('of a stage can be read from another one’s and the difference', () => {
    const staging = stackOf({
      A: metricFilter,
      B: topic({ X: 1, Y: 1, Z: [1] }),
      C: metricFilter,
      F: lambda({ Z: 1 }),
    });
    const production = stackOf({
      A: metricFilter,
      B: topic({ X: 2, Z: [2] }),
      D: metricFilter,
      F: lambda({ Z: 2 }),
    });
    const difference = differenceFrom(staging, production);
    expect(difference['Resources']).toEqual({
      B: { Properties: { X: 2, Y: null, Z: [2] } },
      C: null,
      D: metricFilter,
    });
    expect(withDifference(staging, readDifference(textOf(difference)))).toEqual(production);
  });
});
