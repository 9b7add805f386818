import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { product } from '../../../../../schemas/product/product.ts';
import { stages } from '../../../../../infra/stages/stages.ts';

interface Statement {
  Sid?: string;
  Action: string | string[];
  Resource?: unknown;
  Condition?: unknown;
}
const template = JSON.parse(readFileSync('infra/operate/deploy/deployer.json', 'utf8')) as {
  Parameters: Record<
    'Stage' | 'Repository' | 'Provider',
    { AllowedPattern: string; AllowedValues: string[] }
  >;
  Resources: {
    Deployer: {
      Properties: {
        AssumeRolePolicyDocument: { Statement: Statement[] };
        Policies: { PolicyDocument: { Statement: Statement[] } }[];
      };
    };
  };
};
const { AssumeRolePolicyDocument, Policies } = template.Resources.Deployer.Properties;
const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

describe('the role that deploys', () => {
  test('is for one environment of one repository, and nothing else at GitHub', () => {
    expect(AssumeRolePolicyDocument.Statement).toHaveLength(1);
    const [{ Action, Condition } = { Action: '' }] = AssumeRolePolicyDocument.Statement;
    expect(Action).toBe('sts:AssumeRoleWithWebIdentity');
    expect(Condition).toEqual({
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': { 'Fn::Sub': 'repo:${Repository}:environment:${Stage}' },
      },
    });
    expect(template.Parameters.Stage.AllowedValues).toEqual(Object.keys(stages));
  });

  test.each([
    ['octo@12/site@34', true],
    ['octo/site', true],
    ['octo/*', false],
    ['*', false],
    ['octo/site:ref:refs/heads/main', false],
    ['octo', false],
  ])('takes %s as a repository: %s', (repository, isTaken) => {
    expect(new RegExp(`^(?:${template.Parameters.Repository.AllowedPattern})$`).test(repository)).toBe(
      isTaken,
    );
  });

  test('has no right with a wildcard, cancels an update, tries a sign-in, and writes one secret', () => {
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    const writing = actions.filter((action) => !/:(?:Describe|Get|List)/.test(action));
    expect(writing).toEqual([
      'sts:AssumeRole',
      'cloudformation:CancelUpdateStack',
      'lambda:InvokeFunction',
      'cognito-idp:AdminCreateUser',
      'cognito-idp:AdminSetUserPassword',
      'secretsmanager:PutSecretValue',
    ]);
    // The stage's own pool, and only if no canary signs in there.
    expect(statements.find(({ Sid }) => Sid === 'SmokeUser')?.Condition).toEqual({
      StringEquals: { 'aws:ResourceTag/smoke-check': { 'Fn::Sub': `${product.slug}-\${Stage}` } },
    });
    const secrets = JSON.stringify(statements.filter(({ Action }) => String(Action).startsWith('secrets')));
    expect(secrets).toContain(`secret:${product.slug}/\${Stage}/stripe-??????`);
  });

  test('may make every call of a deployment', () => {
    const prefixes: Record<string, string> = {
      'cognito-identity-provider': 'cognito-idp',
      'secrets-manager': 'secretsmanager',
      'service-quotas': 'servicequotas',
      sesv2: 'ses',
    };
    // The right whose name isn't the call's.
    const rights: Record<string, string> = { Invoke: 'InvokeFunction' };
    const needed = globSync('infra/operate/deploy/**/*.ts').flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      return [...source.matchAll(/import \{([^}]+)\} from '@aws-sdk\/client-([\w-]+)'/g)].flatMap(
        ([, names = '', client = '']) =>
          [...names.matchAll(/\b(?:(\w+)Command|paginate(\w+))\b/g)].map(
            ([, command, paginated]) =>
              `${prefixes[client] ?? client}:${rights[command ?? ''] ?? command ?? paginated}`,
          ),
      );
    });
    const byPerson = [
      // Everybody may ask who they are.
      'sts:GetCallerIdentity',
      // A person stores vendors' keys before the first deployment: npm run ops -- secrets.
      'secretsmanager:CreateSecret',
      'secretsmanager:RestoreSecret',
      // And pauses functions: npm run ops -- pause.
      'lambda:PutFunctionConcurrency',
      'lambda:DeleteFunctionConcurrency',
    ];
    const allowed = statements.flatMap(({ Action }) => Action);
    expect(needed.length).toBeGreaterThan(10);
    expect(needed.filter((action) => !allowed.includes(action) && !byPerson.includes(action))).toEqual([]);
  });
});
