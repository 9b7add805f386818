import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../../infra/operate/review/resource.ts';
import { reportOf } from '../../../../../infra/operate/review/report.ts';
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
const alarm = (properties: object): Resource => ({
  Type: 'AWS::CloudWatch::Alarm',
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

describe('a report', () => {
  test('says what is added, removed, replaced and changed', () => {
    const before = stackOf({
      Gone: metricFilter,
      Kept: topic({ FifoTopic: false }),
      Named: topic({ TopicName: 'a' }),
    });
    const after = stackOf({
      New: metricFilter,
      Kept: topic({ DisplayName: 'x' }),
      Named: topic({ TopicName: 'b' }),
    });
    const text = reportOf('staging', before, after).lines.join('\n');
    expect(text).toMatch(/\[\+\] AWS::Logs::MetricFilter New/);
    expect(text).toMatch(/\[-\] AWS::Logs::MetricFilter Gone destroy/);
    expect(text).toMatch(/\[~\] AWS::SNS::Topic Named replace/);
    expect(text).toMatch(/\[~\] AWS::SNS::Topic Kept.*\n.*DisplayName/);
  });

  test('shows the changed lines of a function', () => {
    const before = stackOf({ Gone: lambda({ Timeout: 1 }), Kept: lambda({ MemorySize: 512, Timeout: 9 }) });
    const after = stackOf({ Kept: lambda({ MemorySize: 256, Timeout: 9 }), New: lambda({ Timeout: 1 }) });
    const text = reportOf('staging', before, after).lines.join('\n');
    expect(text).toMatch(/\[-\] Function Gone\n.*\n +- Function: \{ Timeout: 1 \}/);
    expect(text).toMatch(/\[\+\] Function New\n.*\n +\+ Function: \{ Timeout: 1 \}/);
    expect(text).toMatch(/\[~\] Function Kept\n +- .*MemorySize: 512.*\n +\+ .*MemorySize: 256/);
  });

  test('shows the changed lines of an alarm', () => {
    const others = { One: alarm({ Period: 60 }), Two: alarm({ Period: 60 }) };
    const before = stackOf({
      ...others,
      Gone: alarm({ Period: 9 }),
      Kept: alarm({ Threshold: 1, Period: 60 }),
    });
    const after = stackOf({
      ...others,
      New: alarm({ Period: 8 }),
      Kept: alarm({ Threshold: 2, Period: 60 }),
    });
    const text = reportOf('staging', before, after).lines.join('\n');
    expect(text).toMatch(/\[-\] Alarm Gone\n +- Period: 9/);
    expect(text).toMatch(/\[~\] Alarm Kept\n +- Threshold: 1\n +\+ Threshold: 2/);
    expect(text).toMatch(/\[\+\] Alarm New\n +\+ Period: 8/);
  });

  test('begins with what would be lost', () => {
    const bucket: Resource = { Type: 'AWS::S3::Bucket', Properties: {} };
    const { lines, losses } = reportOf('staging', stackOf({ Site: bucket }), stackOf({}));
    expect(losses).toHaveLength(1);
    expect(lines.slice(0, 5).join('\n')).toContain('Site (AWS::S3::Bucket) would be removed');
  });

  test('of the same template says so', () => {
    expect(reportOf('staging', stackOf({ A: metricFilter }), stackOf({ A: metricFilter })).lines).toContain(
      'No change.',
    );
  });
});
