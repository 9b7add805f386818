import { fixedOf } from '../costs/fixed.ts';
import type { Fixed } from '../costs/monthly.ts';
import { dollarsFor, prices } from '../costs/prices.ts';
import type { Snapshot } from './snapshot.ts';

/** Properties that decide what use costs. `rank`: a larger number is dearer. */
const drivers: readonly {
  type: string;
  property: string;
  says: string;
  rank: (value: unknown) => number;
}[] = [
  { type: 'AWS::Lambda::Function', property: 'MemorySize', says: 'each second of it', rank: Number },
  { type: 'AWS::Lambda::Function', property: 'Timeout', says: 'a run that hangs', rank: Number },
  { type: 'AWS::Logs::LogGroup', property: 'RetentionInDays', says: 'keeping its lines', rank: Number },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'GlobalSecondaryIndexes',
    says: 'each write to an indexed attribute',
    rank: (value) => (Array.isArray(value) ? value.length : 0),
  },
  {
    type: 'AWS::Cognito::UserPool',
    property: 'UserPoolTier',
    says: 'each monthly user',
    rank: (value) => ['LITE', 'ESSENTIALS', 'PLUS'].indexOf(String(value)),
  },
  {
    type: 'AWS::CloudFront::Distribution',
    property: 'DistributionConfig',
    says: 'each GB to a browser',
    rank: (value) =>
      ['PriceClass_100', 'PriceClass_200', 'PriceClass_All'].indexOf(
        String((value as { PriceClass?: string } | undefined)?.PriceClass),
      ),
  },
];

/** Types that cost by use: another one makes use dearer or is a new line of the bill. */
const paidByUse: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Route',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::Cognito::UserPool',
  'AWS::DynamoDB::Table',
  'AWS::Lambda::Function',
  'AWS::S3::Bucket',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
]);

const monthly = (snapshot: Snapshot): number =>
  Object.entries(fixedOf(snapshot)).reduce(
    (sum, [name, count]) => sum + dollarsFor(prices[name as keyof Fixed], count),
    0,
  );

/** What a change does to the bill, as far as the templates tell: a sentence each. Pure. */
export function costChanges(before: Snapshot, after: Snapshot): string[] {
  const difference = monthly(after) - monthly(before);
  const fixed =
    Math.abs(difference) < 0.005
      ? []
      : [
          `${difference > 0 ? 'Up' : 'Down'} by $${Math.abs(difference).toFixed(2)} a month, without any use.`,
        ];
  const ids = [...new Set([...Object.keys(before.Resources), ...Object.keys(after.Resources)])].toSorted();
  return [...fixed, ...ids.flatMap((id) => changesOf(id, before, after))];
}

function changesOf(id: string, before: Snapshot, after: Snapshot): string[] {
  const [old, next] = [before.Resources[id], after.Resources[id]];
  if (!old || !next) {
    const type = (old ?? next)?.Type ?? '';
    if (!paidByUse.has(type)) return [];
    return [`${next ? 'New' : 'Gone'}, and paid by use: ${id} (${type}).`];
  }
  return drivers
    .filter(({ type }) => type === next.Type)
    .flatMap(({ property, says, rank }) => {
      const [from, to] = [rank(old.Properties?.[property]), rank(next.Properties?.[property])];
      if (from === to || Number.isNaN(from) || Number.isNaN(to)) return [];
      return [`${to > from ? 'Dearer' : 'Cheaper'}: ${says}, by ${property} of ${id}.`];
    });
}
