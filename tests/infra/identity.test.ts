import { describe, expect, test } from 'vitest';
import { stages } from '../../infra/stages/stages.ts';
import { RelayAddress } from '../../schemas/config/relay-address.ts';
import { stageNames, templateOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

describe.each(stageNames)('the accounts of %s', (stageName) => {
  test('registers only relay addresses that are neither scripts nor readable on the way', () => {
    for (const { address } of stages[stageName].relayAddresses) {
      expect(RelayAddress.safeParse(address)).toMatchObject({ success: true });
    }
  });
});

describe('refresh token rotation', () => {
  test('is on in the clients of an Essentials pool, without the flow that it replaces', () => {
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
    expect(site?.['ExplicitAuthFlows']).toEqual(['ALLOW_USER_SRP_AUTH']);
    expect(relay?.['ExplicitAuthFlows']).toEqual(['ALLOW_CUSTOM_AUTH']);
  });
});
