import { standInAddresses } from '../../vendors/identity-providers/stand-ins.ts';
import { expect, test } from 'vitest';
import { distributionOrigins } from '../../aws/cloudfront/properties.ts';
import { localAddresses, readdressed } from '../../stack/addresses.ts';
import { distribution, lambda, template, type TemplateResource } from '../fixtures/local-stack.ts';

/** A property of a stack, resolved. */
function resolved(value: unknown, more: Record<string, TemplateResource> = {}) {
  const [secret] = template({
    Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { value } },
    ...more,
  }).of('AWS::SecretsManager::Secret');
  return secret?.properties['value'];
}

test.each([
  ['Ref to a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
  ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }, 3]] }, 'a-aws-3'],
  ['Fn::Split and Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b'] }] }, 'b'],
  [
    'Fn::Sub with variables, references and a literal',
    { 'Fn::Sub': ['${x} ${AWS::Region} ${!y} ${Table.Arn}', { x: { Ref: 'AWS::Partition' } }] },
    'aws us-east-1 ${y} arn:aws:dynamodb:us-east-1:123456789012:table/selfsame-staging-Table',
  ],
  ['Fn::GetAtt written with a dot', { 'Fn::GetAtt': 'Table.Arn' }, expect.stringMatching(/table\//)],
  ['AWS::NoValue in an object', { a: 1, b: { Ref: 'AWS::NoValue' } }, { a: 1 }],
  ['AWS::NoValue in a list', [1, { Ref: 'AWS::NoValue' }], [1]],
  ['a Condition that is an ordinary key', { Condition: { Bool: true } }, { Condition: { Bool: true } }],
])('resolves %s', (_, value, expected) => {
  expect(resolved(value, { Table: { Type: 'AWS::DynamoDB::Table' } })).toEqual(expected);
});

test('a resource with a condition is refused', () => {
  expect(() => template({ Fn: { ...lambda('a.zip'), Condition: 'Never' } })).toThrow(/Fn has Never/);
});

test.each([
  ['Fn::Cidr', { 'Fn::Cidr': ['10.0.0.0/24', 2, 5] }, /Fn::Cidr in Secret/],
  ['Fn::ImportValue', { 'Fn::ImportValue': 'x' }, /Fn::ImportValue in Secret/],
  ['a resource that is not there', { Ref: 'Gone' }, /refers to Gone in Secret/],
  [
    'an unknown attribute',
    { 'Fn::GetAtt': ['Table', 'Nope'] },
    /attribute Nope of AWS::DynamoDB::Table \(Table/,
  ],
])('refuses %s with one sentence', (_, value, sentence) => {
  expect(() => resolved(value, { Table: { Type: 'AWS::DynamoDB::Table' } })).toThrow(
    expect.objectContaining({ name: 'StartFailure', message: expect.stringMatching(sentence) as string }),
  );
});

test('an unknown resource type is refused with its name, its id and where to add it', () => {
  expect(() => template({ Cache: { Type: 'AWS::ElastiCache::CacheCluster' } })).toThrow(
    "The local world doesn't know the resource type AWS::ElastiCache::CacheCluster (Cache): add a service for it in infra/local/aws, or add it to infra/local/aws/not-emulated.ts.",
  );
});

test('names are the same at every start and have the form that AWS gives them', () => {
  const resources = {
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Client: { Type: 'AWS::Cognito::UserPoolClient' },
  };
  const names = () =>
    ['AWS::Cognito::UserPool', 'AWS::Cognito::UserPoolClient'].map(
      (type) => template(resources).of(type)[0]?.ref,
    );
  expect(names()).toEqual(names());
  expect(names()).toEqual([
    expect.stringMatching(/^us-east-1_[a-z0-9]{9}$/),
    expect.stringMatching(/^[a-z0-9]{26}$/),
  ]);
});

const origins = {
  site: 'http://localhost:1',
  cognito: 'http://localhost:2',
  stripe: 'http://localhost:3',
  providers: 'http://localhost:4',
};

test('every deployed address becomes a local address, in every text', () => {
  const stack = template({
    ...distribution({ api: false, config: { Aliases: ['selfsame.example'] } }),
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Fn: lambda('a.zip', {
      Environment: {
        Variables: {
          SITE_URL: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': ['Distribution', 'DomainName'] }]] },
          ALIAS: 'https://selfsame.example/x',
          ISSUER: { 'Fn::GetAtt': ['Pool', 'ProviderURL'] },
          CSP: "connect-src 'self' https://api.stripe.com; script-src https://js.stripe.com https://*.js.stripe.com",
          KEY: 'pk_test_put_yours_here',
        },
      },
    }),
  });
  const variables = (kind: 'stand-in' | 'real') => {
    const local = readdressed(
      stack,
      localAddresses(
        stack,
        distributionOrigins(stack),
        origins,
        { kind, publishableKey: 'pk_test_local' },
        standInAddresses(origins.providers),
      ),
    );
    const [fn] = local.of('AWS::Lambda::Function');
    return (fn?.properties['Environment'] as { Variables: object } | undefined)?.Variables;
  };
  expect(variables('stand-in')).toEqual({
    SITE_URL: 'http://localhost:1',
    ALIAS: 'http://localhost:1/x',
    ISSUER: expect.stringMatching(/^http:\/\/localhost:2\/us-east-1_/),
    CSP: "connect-src 'self' http://localhost:3; script-src http://localhost:3 https://*.js.stripe.com",
    KEY: 'pk_test_local',
  });
  expect(variables('real')).toMatchObject({
    CSP: expect.stringContaining('https://api.stripe.com; script-src https://js.stripe.com'),
  });
});
