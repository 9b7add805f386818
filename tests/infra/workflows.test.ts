import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startRehearsal } from '../fixtures/workflows/rehearsal.ts';
import { stepsOf } from '../fixtures/workflows/runner.ts';

// Each run of a workflow starts a dozen programs.
vi.setConfig({ testTimeout: 300_000 });

type Rehearsal = Awaited<ReturnType<typeof startRehearsal>>;

/** Each step of the workflow, with its exit code, or `not reached`. */
const beside = (file: string, taken: readonly [string, number][]): string[] =>
  stepsOf(file).map((step, index) => {
    const [label, exitCode] = taken[index] ?? [step, 'not reached'];
    return label === step ? `${step}: ${exitCode}` : `${step}: left out, and ${label} taken`;
  });

describe('the workflow of production', () => {
  let rehearsal: Rehearsal;
  const releases: Record<string, string> = {};
  beforeAll(async () => {
    rehearsal = await startRehearsal('production');
    releases['v1.0.0'] = rehearsal.push({ tag: 'v1.0.0' });
    rehearsal.deploy(releases['v1.0.0']);
  });
  afterAll(() => rehearsal.close());

  test('deploys a release, without a step left out', async () => {
    releases['v1.1.0'] = rehearsal.push({ tag: 'v1.1.0' });
    const taken = await rehearsal.run('push', 'refs/tags/v1.1.0');
    expect(beside('production.yml', taken)).toMatchInlineSnapshot(`
      [
        "actions/checkout: 0",
        "actions/setup-node: 0",
        "npm ci --ignore-scripts: 0",
        "gh api "repos/$GITHUB_REPOSITORY/deployments?environment=staging&sha=$GITHUB_SHA" --jq '.[].statuses_url': 0",
        "aws-actions/configure-aws-credentials: 0",
        "npm run ops -- losses --deployed production: 0",
        "npm run deploy:production -- --require-approval never $WATCH: 0",
      ]
    `);
    expect(rehearsal.deployed()).toBe(releases['v1.1.0']);
  });

  test('rolls a release that fails its smoke check back, from a private repository', async () => {
    const broken = rehearsal.push({ tag: 'v1.2.0', works: false });
    rehearsal.cdkRuns();
    rehearsal.printed.length = 0;
    const taken = await rehearsal.run('push', 'refs/tags/v1.2.0');
    expect(taken.at(-1)?.[1]).toBe(1);
    expect(rehearsal.printed.join('')).toContain(`Rolls production back from ${broken} to v1.1.0.`);
    expect(rehearsal.deployed()).toBe(releases['v1.1.0']);
    expect(rehearsal.cdkRuns()).toMatchInlineSnapshot(`
      [
        "cdk deploy selfsame-production --strict --require-approval never",
        "cdk deploy selfsame-production --strict --rollback-trigger-alarm-arns none --require-approval never",
      ]
    `);
  });

  test('deploys an earlier release that a person chooses', async () => {
    const taken = await rehearsal.run('workflow_dispatch', 'refs/tags/v1.0.0');
    expect(taken.every(([, exitCode]) => exitCode === 0)).toBe(true);
    expect(rehearsal.deployed()).toBe(releases['v1.0.0']);
    expect(rehearsal.cdkRuns()).toMatchInlineSnapshot(`
      [
        "cdk deploy selfsame-production --strict --require-approval never --rollback-trigger-alarm-arns none",
      ]
    `);
  });
});

describe('the workflow of staging', () => {
  let rehearsal: Rehearsal;
  beforeAll(async () => {
    rehearsal = await startRehearsal('staging');
  });
  afterAll(() => rehearsal.close());

  test('deploys main, without a step left out, and fails if the stage does not work', async () => {
    const broken = rehearsal.push({ works: false });
    const taken = await rehearsal.run('push', 'refs/heads/main');
    expect(beside('staging.yml', taken)).toMatchInlineSnapshot(`
      [
        "actions/checkout: 0",
        "actions/setup-node: 0",
        "npm ci --ignore-scripts: 0",
        "npm test: 0",
        "npm run test:local: 0",
        "npm run test:browsers: 0",
        "actions/checkout: 0",
        "actions/setup-node: 0",
        "npm ci --ignore-scripts: 0",
        "aws-actions/configure-aws-credentials: 0",
        "npm run ops -- losses --deployed staging: 0",
        "npm run deploy:staging -- --require-approval never: 1",
      ]
    `);
    // Staging stays as it is, for those who look for the cause.
    expect(rehearsal.deployed()).toBe(broken);
  });
});
