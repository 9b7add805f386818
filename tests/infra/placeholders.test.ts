import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { PLACEHOLDER, placeholdersOf } from '../../infra/placeholders.ts';
import { problemsOf } from '../../infra/stage-problems.ts';
import { type StageName, stages } from '../../infra/stages.ts';
import { product } from '../../schemas/product.ts';
import { syntheses } from '../fixtures/stack.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const [, deployment = ''] = read('README.md').split('## Deploy it');
const stageNames = Object.keys(stages) as StageName[];
const synthesised = syntheses();

/** The settings that the README's table names, of `schemas/product.ts`. */
const named = [...deployment.matchAll(/^\| `([a-z][a-zA-Z]*)` +\|/gm)].map(([, setting = '']) => setting);

test('the README names every setting of the product that a deployer replaces, and no other', () => {
  const placeholders = Object.entries(product)
    .filter(([, value]) => PLACEHOLDER.test(String(value)))
    .map(([setting]) => setting);
  expect(placeholders).toContain('siteOrigin');
  expect(named.toSorted()).toEqual([...placeholders, 'desktopCallback'].toSorted());
});

test('the README names the file of every stage, and each says where its settings are explained', () => {
  for (const stageName of stageNames) {
    expect(deployment).toContain(`infra/stages/${stageName}.ts`);
    expect(read(`infra/stages/${stageName}.ts`)).toContain('`stage.ts` says what each setting is for');
  }
  const explained = /\*\/$/;
  const lines = read('infra/stages/stage.ts').split('\n');
  const unexplained = lines.filter(
    (line, index) => /^ {2}\w+\??: /.test(line) && !explained.test(lines[index - 1] ?? ''),
  );
  expect(unexplained).toEqual([]);
});

test('a placeholder of either stage keeps that stage from being deployed', () => {
  for (const stageName of stageNames) {
    const errors = Annotations.fromStack(synthesised[stageName].stack).findError('*', Match.anyValue());
    const text = JSON.stringify(errors.map(({ entry }) => entry.data));
    const placeholders = placeholdersOf(stageName, stages[stageName]);
    const files = new Set(placeholders.map(({ file }) => file));
    expect(files).toEqual(new Set(['schemas/product.ts', `infra/stages/${stageName}.ts`]));
    for (const { file, setting } of placeholders) {
      expect(text).toContain(`${setting} is still a placeholder. Set it in ${file}.`);
    }
  }
});

test.each(['my-aws-app', 'Selfsame', 'selfsame-', 'cognito'])(
  'no stage has the prefix %s',
  (signInPrefix) => {
    const problems = problemsOf('staging', { ...stages.staging, signInPrefix });
    expect(problems.join()).toContain(`signInPrefix is "${signInPrefix}", which Cognito refuses`);
  },
);

test('no file but the settings holds a placeholder', () => {
  const settings = new Set([
    'infra/stages/staging.ts',
    'infra/stages/production.ts',
    'infra/placeholders.ts',
    'schemas/product.ts',
  ]);
  const files = ['functions', 'infra', 'schemas', 'web'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')))
      .filter((file) => /\.(?:tsx?|js|md|html|json|txt)$/.test(file))
      // The local world's users have made-up addresses, and a build repeats the settings.
      .filter((file) => !/^(?:infra\/local|web\/dist)\//.test(file) && !settings.has(file)),
  );
  expect(files.length).toBeGreaterThan(100);
  const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*)/.test(line);
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => PLACEHOLDER.test(line) && !isComment(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

describe('the commands of the README', () => {
  const commands = [...deployment.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .trim()
      .split('\n'),
  );

  test('name the region wherever they call AWS', () => {
    const toAws = commands.filter((command) => /\baws [a-z]/.test(command));
    expect(toAws.length).toBeGreaterThan(2);
    for (const command of toAws) expect(command).toMatch(/ --region (?:us-east-1|"\$REGION") /);
    for (const command of commands.filter((each) => each.includes('cdk bootstrap'))) {
      expect(command).toMatch(/aws:\/\/\$ACCOUNT\/\$REGION/);
    }
  });

  test('name outputs that the stack has, and scripts that exist', () => {
    const outputs = synthesised.production.template.findOutputs('*');
    for (const output of [
      'WebhookUrl',
      'GitHubCallback',
      'DistributionDomain',
      'MailRecord1',
      'MailRecord3',
      'MailRecord4',
      'MailRecord6',
    ]) {
      expect(deployment).toContain(`\`${output}\``);
      expect(outputs).toHaveProperty(output);
    }
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of deployment.matchAll(/npm run ([\w:-]+)/g))
      expect(scripts).toHaveProperty([script]);
  });
});
