import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { metricsOf } from '../fixtures/aws/aws-metrics.ts';
import { templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const { staging, production } = templatesOf();

// Secrets with vendors' keys, which belong to no stack: Stripe's, Google's and GitHub's.
const VENDOR_SECRETS = 3;
// CloudWatch's free metrics in alarms, in an account.
const FREE = 10;

/** Dollars a month without a user, by service. `.github/costs.md` says where the prices are from. */
function floorOf(template: Template): Record<string, number> {
  const count = (type: string) => resources(template, type).length;
  const rules = resources(template, 'AWS::WAFv2::WebACL').flatMap(
    ([, { Properties }]) => Properties['Rules'] as unknown[],
  );
  const alarmed = resources(template, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
    metricsOf(Properties),
  );
  return {
    WAF: 5 * count('AWS::WAFv2::WebACL') + rules.length,
    alarms: 0.1 * (alarmed.length - FREE),
    secrets: 0.4 * (count('AWS::SecretsManager::Secret') + VENDOR_SECRETS),
    KMS: count('AWS::KMS::Key'),
  };
}

test('costs.md says what the stages cost without users', () => {
  const costs = readFileSync('.github/costs.md', 'utf8');
  const lines = [...costs.matchAll(/^\| (\w+) +\| +([\d.]+) \| +([\d.]+) \|$/gm)].map(
    ([, service = '', ofProduction, ofStaging]) => [service, [Number(ofProduction), Number(ofStaging)]],
  );
  const floors = [floorOf(production), floorOf(staging)];
  const sum = (floor: Record<string, number>) =>
    Object.values(floor).reduce((total, each) => total + each, 0);
  const rounded = (dollars: number) => Number(dollars.toFixed(1));
  const services = Object.keys(floorOf(production));
  expect(lines).toEqual([
    ...services.map((service) => [service, floors.map((floor) => rounded(floor[service] ?? 0))]),
    ['together', floors.map((floor) => rounded(sum(floor)))],
  ]);
});
