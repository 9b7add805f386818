import { expect, test } from 'vitest';
import { contextsOf, ROLE, startRehearsal } from '../fixtures/workflows/rehearsal.ts';
import { labelOf, runWorkflow, stepsOf, type Take } from '../fixtures/workflows/runner.ts';

/** The steps that an event's run of a workflow takes, if each of them succeeds. No program starts. */
async function stepsTaken(file: string, event: 'push' | 'workflow_dispatch') {
  const steps: Parameters<Take>[0][] = [];
  const take: Take = async (step) => {
    steps.push(step);
    return 0;
  };
  await runWorkflow(file, contextsOf(event), { take, machine: () => ({ workspace: '', variables: {} }) });
  return steps;
}

test.each([
  ['staging.yml', 'push', ''],
  ['production.yml', 'push', ''],
  // Alarms that fire now are why a person chooses an earlier release.
  ['production.yml', 'workflow_dispatch', '--rollback-trigger-alarm-arns none'],
] as const)('%s leaves no step out after a %s, with the stage’s role', async (file, event, watch) => {
  const steps = await stepsTaken(file, event);
  expect(steps.map(labelOf)).toEqual(stepsOf(file));
  const [credentials, , deployment] = steps.slice(-3);
  expect(credentials?.with).toEqual({ 'role-to-assume': ROLE, 'aws-region': 'us-east-1' });
  expect(deployment?.env['WATCH'] ?? '').toBe(watch);
});

// Each step but the credentials starts programs.
test(
  'a release that fails its smoke check is rolled back, from a private repository',
  { timeout: 300_000 },
  async () => {
    const rehearsal = await startRehearsal();
    const release = rehearsal.push('v1.0.0', true);
    rehearsal.deploy(release);
    const broken = rehearsal.push('v1.1.0', false);
    const taken = await rehearsal.run('v1.1.0');
    await rehearsal.close();
    const printed = rehearsal.printed.join('');
    expect(printed).toContain(`Rolls production back from ${broken} to v1.0.0.`);
    expect(printed).not.toContain(' failed.');
    expect(taken).toEqual(
      stepsOf('production.yml').map((step, at, all) => [step, at === all.length - 1 ? 1 : 0]),
    );
    expect(rehearsal.deployed()).toBe(release);
    expect(rehearsal.cdkRuns()).toEqual([
      'cdk deploy selfsame-production --strict --require-approval never',
      'cdk deploy selfsame-production --strict --rollback-trigger-alarm-arns none --require-approval never',
    ]);
  },
);
