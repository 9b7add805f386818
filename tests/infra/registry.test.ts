import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { stackOf, stageNames } from '../fixtures/aws/stack.ts';

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

test('a resource with an unknown property is found', () => {
  // CDK prints it, too.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const outdir = mkdtempSync(path.join(tmpdir(), 'selfsame-registry-'));
  const app = new App({ outdir, analyticsReporting: false });
  const properties = { UserPoolTear: 'LITE' };
  new CfnResource(new Stack(app, 'stack'), 'Checked', { type: 'AWS::Cognito::UserPool', properties });
  app.synth();
  vi.restoreAllMocks();
  expect(findingsOf(app)).toEqual([expect.stringContaining('UserPoolTear')]);
});
