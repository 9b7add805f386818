import { expect, test } from 'vitest';
import { providerModules } from '../../infra/constructs/identity/providers/provider-modules.ts';
import { stages } from '../../infra/stages/stages.ts';
import { mayBeRegistered } from '../../schemas/config/relay-address.ts';
import { providerKeys, providers } from '../../schemas/product/providers.ts';
import { stageNames, syntheses, templateOf, testedStages } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

/** The properties of the template's user pool. */
const poolOf = (template: ReturnType<typeof templateOf>) =>
  resources(template, 'AWS::Cognito::UserPool')[0]![1].Properties;

test.each(stageNames)(
  '%s registers only relay addresses that are neither scripts nor readable on the way',
  (name) => {
    for (const { address } of stages[name].relayAddresses) {
      expect(mayBeRegistered(address)).toBe(true);
    }
  },
);

test('accounts are changed by the second deployment, which shows whether Cognito takes a change', () => {
  const second = poolOf(syntheses().production.template);
  const first = poolOf(templateOf({ stageName: 'production', isFirst: true }));
  expect(second).not.toEqual(first);
  expect(second['Schema']).toEqual(first['Schema']);
});

test('a pool from before the schema was declared keeps what it has', () => {
  const { Schema: _, ...others } = poolOf(syntheses().staging.template);
  const stage = { ...testedStages.staging, omitsPoolSchema: true };
  expect(poolOf(templateOf({ stageName: 'staging', stage }))).toEqual(others);
});

test.each(providerKeys)(
  'a stage may offer %s alone, by its name in the pool and with its own secret',
  (key) => {
    const stage = { ...stages.staging, providers: [key] };
    const template = templateOf({ stageName: 'staging', stage, secretVersions: { [key]: '0d0e' } });
    const { poolName, bridged } = providers[key];
    const [[, provider] = [], ...others] = resources(template, 'AWS::Cognito::UserPoolIdentityProvider');
    expect(others).toEqual([]);
    expect(provider?.Properties).toMatchObject({ ProviderName: poolName });
    const attributes = ['email', 'email_verified', 'name'];
    expect(Object.keys(provider?.Properties['AttributeMapping'] as object)).toEqual(attributes);
    const clients = resources(template, 'AWS::Cognito::UserPoolClient').map(
      ([, client]) => client.Properties,
    );
    // The client that only our functions use has none.
    const offered = clients.flatMap((client) => client['SupportedIdentityProviders'] ?? []);
    expect(offered).toEqual([poolName, poolName]);
    if (bridged) return;
    const details = Object.values(provider?.Properties['ProviderDetails'] as Record<string, string>);
    for (const field of Object.keys(providerModules[key].fields)) {
      expect(details).toContain(
        `{{resolve:secretsmanager:selfsame/staging/${key}:SecretString:${field}::0d0e}}`,
      );
    }
  },
);

test('refresh tokens rotate in the clients of an Essentials pool, without the flow that rotation replaces', () => {
  const stage = { ...stages.staging, featurePlan: 'ESSENTIALS' } as const;
  const template = templateOf({ stageName: 'staging', stage });
  template.hasResourceProperties('AWS::Cognito::UserPool', { UserPoolTier: 'ESSENTIALS' });
  const clients = resources(template, 'AWS::Cognito::UserPoolClient');
  const [site, relay] = ['Site', 'Relay'].map(
    (name) => clients.find(([id]) => id.includes(name))?.[1].Properties,
  );
  for (const client of [site, relay]) {
    expect(client?.['RefreshTokenRotation']).toEqual({ Feature: 'ENABLED', RetryGracePeriodSeconds: 30 });
  }
  expect(site?.['ExplicitAuthFlows']).toEqual(['ALLOW_USER_SRP_AUTH', 'ALLOW_CUSTOM_AUTH']);
  expect(relay?.['ExplicitAuthFlows']).toEqual(['ALLOW_CUSTOM_AUTH']);
});
