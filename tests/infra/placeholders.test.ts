import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLACEHOLDER } from '../../infra/stages/placeholders.ts';
import { problemsOf } from '../../infra/stages/stage-problems.ts';
import { type StageName, stages } from '../../infra/stages/stages.ts';
import { product } from '../../schemas/product/product.ts';
import { readyOwner } from '../fixtures/aws/ready-owner.ts';
import { syntheses } from '../fixtures/aws/stack.ts';
import { importedPool, resources } from '../fixtures/aws/template.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const deployment = read('.github/deploying.md');
const stageNames = Object.keys(stages) as StageName[];
const synthesized = syntheses();

/** The settings of `schemas/product/product.ts` that the list in deploying.md names. */
const named = [...deployment.matchAll(/^ {2}- `([a-z][a-zA-Z]*)`: /gm)].map(([, setting = '']) => setting);

test('deploying.md names every setting of the product that a deployer replaces, and no other', () => {
  const replaced = ['siteOrigin', 'mailDomain', 'supportEmail', 'downloadUrl', 'templateFormUrl'];
  expect(named).toEqual([...replaced, 'desktopCallback']);
  const placeholders = Object.entries(product).filter(([, value]) => PLACEHOLDER.test(String(value)));
  for (const [setting] of placeholders) expect(replaced).toContain(setting);
});

test('deploying.md names the file of every stage, and each says where its settings are explained', () => {
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

test.each(stageNames)('a placeholder of the product or of %s is named with its file', (stageName) => {
  const file = `infra/stages/${stageName}.ts`;
  const stage = {
    ...stages[stageName],
    stripePublishableKey: 'pk_test_put_yours_here',
    alarmEmail: 'put_yours_here@selfsame.test',
  } as const;
  const { mailDomain } = product;
  Object.assign(product, { mailDomain: 'selfsame.example' });
  const problems = problemsOf(stageName, stage);
  Object.assign(product, { mailDomain });
  for (const problem of [
    'mailDomain is still a placeholder. Set it in schemas/product/product.ts.',
    `stripePublishableKey is still a placeholder. Set it in ${file}.`,
    `alarmEmail is still a placeholder. Set it in ${file}.`,
  ]) {
    expect(problems).toContain(problem);
  }
});

test('what the owner has not said keeps production from being deployed, and staging not', () => {
  const owner = () => ({ ...readyOwner, company: null });
  const problem = 'company is still a placeholder. Set it in web/content/owner.json.';
  expect(problemsOf('production', stages.production, owner)).toContain(problem);
  expect(problemsOf('staging', stages.staging, owner)).not.toContain(problem);
  expect(problemsOf('production', stages.production, () => readyOwner).join()).not.toContain('owner.json');
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
    'infra/stages/placeholders.ts',
    'schemas/product/product.ts',
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

describe('the commands of deploying.md', () => {
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

  test('import a pool that the template has, without a reference to what is not imported', () => {
    const { template } = synthesized.production;
    const [[id] = []] = resources(template, 'AWS::Cognito::UserPool');
    const blocks = commands.join('\n');
    const ids = new Set(blocks.match(/IdentityPool[0-9A-F]{8}/g));
    expect(ids).toEqual(new Set([id]));
    const pool = importedPool(template);
    expect(JSON.stringify(pool)).not.toMatch(/"(?:Ref|Fn::\w+|DependsOn)"/);
    // CloudFormation imports nothing without it.
    expect(pool).toHaveProperty('DeletionPolicy');
  });

  test('name outputs that the stack has', () => {
    const outputs = synthesized.production.template.findOutputs('*');
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
  });
});
