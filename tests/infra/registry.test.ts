import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { stackOf, stageNames } from '../fixtures/aws/stack.ts';
import { temporaryFolder } from '../fixtures/repository/temporary-folder.ts';

const Report = z.object({
  // Only of checks that have found something.
  pluginReports: z.array(
    z.object({
      violations: z.array(
        z.object({
          ruleName: z.string(),
          description: z.string(),
          violatingConstructs: z.array(z.object({ constructPath: z.string() })),
        }),
      ),
    }),
  ),
});

/**
 * CDK's findings about the templates that it synthesized, a line for each: rule, construct,
 * description. CDK runs AWS's own checks, which know the schemas of CloudFormation's registry. Unless a flag
 * is set, CDK only prints what they find.
 */
function findingsOf(app: App): string[] {
  const report = path.join(app.outdir, 'validation-report.json');
  const { pluginReports } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
  return pluginReports
    .flatMap(({ violations }) => violations)
    .flatMap(({ ruleName, description, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}: ${description}`),
    );
}

test.each(stageNames)('the template of %s fits the schemas of CloudFormation’s registry', (stageName) => {
  const app = App.of(stackOf({ stageName }, { isChecked: true })) as App;
  app.synth();
  expect(findingsOf(app)).toEqual([]);
});

/** The findings about a stack of its own. */
function findingsIn(fill: (stack: Stack) => unknown): string[] {
  const app = new App({ outdir: temporaryFolder(), analyticsReporting: false });
  fill(new Stack(app, 'stack'));
  app.synth();
  return findingsOf(app);
}

test('the template of the role that deploys fits them', () => {
  const templateFile = 'infra/operate/deploy/deployer.json';
  expect(findingsIn((stack) => new CfnInclude(stack, 'Deployer', { templateFile }))).toEqual([]);
});

test('a resource with an unknown property is found', () => {
  // CDK prints it, too.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const checked = { type: 'AWS::Cognito::UserPool', properties: { UserPoolTear: 'LITE' } };
  const found = findingsIn((stack) => new CfnResource(stack, 'Checked', checked));
  vi.restoreAllMocks();
  expect(found).toEqual([expect.stringContaining('UserPoolTear')]);
});
