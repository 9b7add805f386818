import { globSync } from 'node:fs';
import * as acm from '@aws-sdk/client-acm';
import * as cloudformation from '@aws-sdk/client-cloudformation';
import * as cognito from '@aws-sdk/client-cognito-identity-provider';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as lambda from '@aws-sdk/client-lambda';
import * as secretsManager from '@aws-sdk/client-secrets-manager';
import * as serviceQuotas from '@aws-sdk/client-service-quotas';
import * as ses from '@aws-sdk/client-sesv2';
import * as sts from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { codeIn } from './documents.ts';

// The SDK and the AWS CLI are generated from the same models. Services whose SDK isn't installed, such as
// IAM, are left out.
const services: Record<string, object> = {
  acm,
  cloudformation,
  'cognito-idp': cognito,
  dynamodb,
  lambda,
  secretsmanager: secretsManager,
  'service-quotas': serviceQuotas,
  sesv2: ses,
  sts,
};

// Commands of the CLI's own, without an operation of their name.
const ownCommands = ['cloudformation deploy', 'cloudformation wait'];
const globalOptions = [
  'region',
  'output',
  'query',
  'cli-binary-format',
  'cli-read-timeout',
  'cli-input-json',
];
// The operation's other names for its input.
const inputs = ['Request', 'Input', 'CommandInput'];

/** An operation's input in the SDK's form: kind, namespace, name, traits, members, their kinds, and more. */
type Schema = [3, string, string, unknown, string[], unknown[], number?];

const kebab = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const membersOf = (service: object, operation: string): string[] | undefined => {
  const names = [operation, operation === 'Invoke' ? 'Invocation' : operation];
  for (const name of names.flatMap((each) => inputs.map((input) => `${each}${input}$`))) {
    const schema = (service as Record<string, Schema | undefined>)[name];
    if (schema) return schema[4].map(kebab);
  }
  return undefined;
};

/** The commands in a document's code, without what is quoted. */
function commandsOf(file: string): { line: string; service: string; operation: string; options: string[] }[] {
  return codeIn(file).flatMap((piece) =>
    [...unquoted(piece).matchAll(/\baws ([a-z\d-]+) ([a-z-]+)([^\n|;]*)/g)].map(
      ([line, service = '', operation = '', rest = '']) => ({
        line,
        service,
        operation,
        options: [...rest.matchAll(/--([a-z][a-z-]*)/g)].map(([, option = '']) => option),
      }),
    ),
  );
}

/** Commands inside `$(…)` get lines of their own. */
const unquoted = (code: string): string =>
  code
    .replaceAll(/'[^']*'/g, 'X')
    .replaceAll(/"?\$\(([^()]*)\)"?/g, (_, inner: string) => `X\n${inner}\n`)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, 'X');

const runbooks = globSync('.github/*runbook.md');

test.each(['README.md', '.github/deploying.md', ...runbooks])(
  'the commands of %s for AWS have options that their operations take',
  (file) => {
    const wrong = commandsOf(file).flatMap(({ line, service, operation, options }) => {
      const sdk = services[service];
      if (!sdk || ownCommands.includes(`${service} ${operation}`)) return [];
      const members = membersOf(sdk, pascal(operation));
      if (!members) return [`${line}: no such operation`];
      const known = [...members, ...globalOptions];
      return options
        .filter((option) => !known.includes(option) && !known.includes(option.replace(/^no-/, '')))
        .map((option) => `${line}: --${option}`);
    });
    expect(wrong).toEqual([]);
  },
);

test('a wrong option would be found', () => {
  expect(membersOf(ses, 'GetEmailIdentity')).toEqual(['email-identity']);
  expect(runbooks.flatMap(commandsOf).length).toBeGreaterThan(20);
});
