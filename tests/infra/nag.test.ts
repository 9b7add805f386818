import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { stageNames, syntheses } from '../fixtures/aws/stack.ts';

const stacks = syntheses();

/** The rules' findings in a stage's constructs. As a plug-in, the rules would end the synthesis. */
const findingsOf = (checks: AwsSolutionsChecks, stage: (typeof stageNames)[number]) =>
  checks
    .validateScope(stacks[stage].stack)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ ruleName, constructPath })),
    );

describe.each(stageNames)('%s', (stage) => {
  test('breaks no rule of cdk-nag without a reason beside the construct', () => {
    expect(findingsOf(new AwsSolutionsChecks(), stage)).toEqual([]);
  });

  test('has a reason for no finding that is gone', () => {
    const checks = new AwsSolutionsChecks();
    Object.assign(checks as object, { isAcknowledged: () => false });
    const findings = findingsOf(checks, stage);
    const allowed = stacks[stage].stack.node.findAll().flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.keys(data as object))
        .map((id) => ({ ruleName: id.replace(/^annotation::/i, ''), path: node.path })),
    );
    const needless = allowed.filter(
      ({ ruleName, path }) =>
        ruleName.startsWith('AwsSolutions-') &&
        !findings.some((one) => one.ruleName === ruleName && one.constructPath.startsWith(path)),
    );
    expect(needless).toEqual([]);
  });
});
