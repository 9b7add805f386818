import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { templatesOf } from '../fixtures/aws/stack.ts';

const isInstalled = spawnSync('cfn-lint', ['--version']).status === 0;
const hint = isInstalled ? '' : ' (cfn-lint is not installed: pip install cfn-lint)';

const templates = templatesOf();

/** Resolves with the linter's output: a line for each finding. */
const lint = (files: string[]): Promise<string> =>
  new Promise((resolve) => {
    // CDK writes dependencies that a reference already makes: W3005.
    const parameters = ['--format', 'parseable', '--ignore-checks', 'W3005', '--'];
    execFile('cfn-lint', [...parameters, ...files], (_, out, err) => resolve(`${out}${err}`.trim()));
  });

test.skipIf(!isInstalled)(`cfn-lint finds what is wrong, and nothing in our templates${hint}`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-cfn-lint-'));
  const write = (name: string, template: object): string => {
    const file = path.join(folder, name);
    writeFileSync(file, JSON.stringify(template, null, 1));
    return file;
  };
  const wrong = write('wrong.json', {
    Resources: { A: { Type: 'AWS::SQS::Queue', Properties: { Nam: 'a' } } },
  });
  // Production has every resource that staging has.
  const production = write('production.json', templates.production.toJSON());
  const findings = (await lint([production, wrong, 'infra/operate/deploy/deployer.json'])).split('\n');
  expect(findings).toEqual([expect.stringContaining(wrong)]);
});
