import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { stageNames, syntheses } from '../fixtures/stack.ts';

test.each(stageNames)('%s breaks no rule of cdk-nag without a reason beside the construct', (stageName) => {
  // On the constructs: as a plug-in of the synthesis, it would end it.
  const { violations } = new AwsSolutionsChecks().validateScope(syntheses()[stageName].stack);
  const lines = violations.flatMap(({ ruleName, description, violatingResources = [] }) =>
    violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}: ${description}`),
  );
  expect(lines).toEqual([]);
});
