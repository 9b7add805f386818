import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { PLACEHOLDER, placeholdersOf } from '../../infra/placeholders.ts';
import { type StageName, stages } from '../../infra/stages.ts';
import { product } from '../../schemas/product.ts';
import { stackOf } from '../fixtures/stack.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const [, deployment = ''] = read('README.md').split('## Deploy it');
const stageNames = Object.keys(stages) as StageName[];
const stack = stackOf({ stageName: 'production' });

/** The settings that the README's table names, with their files. */
const named = [...deployment.matchAll(/^\| `([\w./]+)` +\| `(\w+)` +\|/gm)].map(
  ([, file = '', setting = '']) => `${file}: ${setting}`,
);

test('the README names every setting that holds a placeholder', () => {
  const placeholders = stageNames.flatMap((stageName) => placeholdersOf(stages[stageName]));
  expect(placeholders).toContainEqual({ file: 'infra/stages.ts', setting: 'stripePublishableKey' });
  expect(placeholders).toContainEqual({ file: 'schemas/product.ts', setting: 'siteOrigin' });
  for (const { file, setting } of placeholders) expect(named).toContain(`${file}: ${setting}`);
});

test('the README names every setting that carries the name of the product', () => {
  const carrying = (settings: object): string[] =>
    Object.entries(settings)
      .filter(([, value]) => new RegExp(String.raw`${product.slug}[.:-]`).test(JSON.stringify(value)))
      .map(([setting]) => setting);
  for (const setting of carrying(product)) expect(named).toContain(`schemas/product.ts: ${setting}`);
  for (const setting of stageNames.flatMap((stageName) => carrying(stages[stageName]))) {
    expect(named).toContain(`infra/stages.ts: ${setting}`);
  }
});

test('the README names every setting that a stage may leave out', () => {
  const optional = [...read('infra/stages.ts').matchAll(/^ {2}(\w+)\?: /gm)].map(([, setting]) => setting);
  expect(optional).toContain('alarmEmail');
  for (const setting of optional) expect(named).toContain(`infra/stages.ts: ${setting}`);
});

test('the README names no setting that does not exist', () => {
  expect(named.length).toBeGreaterThan(0);
  for (const each of named) {
    const [file = '', setting = ''] = each.split(': ');
    expect(read(file)).toMatch(new RegExp(String.raw`^ {2}(?:  )?${setting}\??: `, 'm'));
  }
});

test('no file but the settings holds a placeholder', () => {
  const settings = new Set(['infra/stages.ts', 'infra/placeholders.ts', 'schemas/product.ts']);
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

test('synthesis warns of every placeholder', () => {
  const warnings = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
  const text = JSON.stringify(warnings.map(({ entry }) => entry.data));
  for (const { file, setting } of placeholdersOf(stages.production)) {
    expect(text).toContain(`${setting} is still a placeholder. Set it in ${file}.`);
  }
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
    expect(toAws.length).toBeGreaterThan(4);
    for (const command of toAws) expect(command).toContain(' --region us-east-1 ');
    for (const command of commands.filter((each) => each.includes('cdk bootstrap'))) {
      expect(command).toMatch(/aws:\/\/\$ACCOUNT\/us-east-1/);
    }
  });

  test('name outputs that the stack has, and scripts that exist', () => {
    const outputs = Template.fromStack(stack).findOutputs('*');
    for (const output of [
      'WebhookUrl',
      'GitHubCallback',
      'DistributionDomain',
      'MailRecord1',
      'MailRecord3',
    ]) {
      expect(deployment).toContain(`\`${output}\``);
      expect(outputs).toHaveProperty(output);
    }
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of deployment.matchAll(/npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty([script]);
  });
});
