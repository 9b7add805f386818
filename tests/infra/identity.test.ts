import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { stages } from '../../infra/stages/stages.ts';
import { RelayAddress } from '../../schemas/config/relay-address.ts';
import { stageNames, templateOf, templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

describe.each(stageNames)('the accounts of %s', (stageName) => {
  test('registers only relay addresses that are neither scripts nor readable on the way', () => {
    for (const { address } of stages[stageName].relayAddresses) {
      expect(RelayAddress.safeParse(address)).toMatchObject({ success: true });
    }
  });
});

describe('the firewall of the user pool', () => {
  const { staging, production } = templatesOf();

  test('limits what one IP address can have mailed or try, and refuses deletions, in production', () => {
    const acl = resources(production, 'AWS::WAFv2::WebACL').find(
      ([, { Properties }]) => Properties['Scope'] === 'REGIONAL',
    );
    const rules = acl?.[1].Properties['Rules'] as { Name: string; Statement: object }[];
    const operations = Object.fromEntries(
      rules.map(({ Name, Statement }) => [
        Name,
        [...JSON.stringify(Statement).matchAll(/"SearchString":"([^"]+)"/g)].map(([, text]) => text),
      ]),
    );
    // Each rule names its operations: our functions call others, such as GetUser, from few addresses.
    expect(operations).toEqual({
      'sign-up': ['.signup', '.resendconfirmationcode'],
      reset: ['.forgotpassword'],
      'sign-in': ['.initiateauth', '.respondtoauthchallenge'],
      'bad-addresses': ['.signup', '.resendconfirmationcode'],
      deletion: ['.deleteuser'],
    });
    // WAF compares the header's end in lower case: another spelling that Cognito takes is limited too.
    const all = JSON.stringify(rules);
    const texts = Object.values(operations).flat();
    expect(texts).toEqual(texts.map((text) => String(text).toLowerCase()));
    expect(all.match(/"PositionalConstraint":"ENDS_WITH"/g)).toHaveLength(texts.length);
    expect(all.match(/"TextTransformations":\[\{"Priority":0,"Type":"LOWERCASE"\}\]/g)).toHaveLength(
      texts.length,
    );
    production.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      ResourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^IdentityPool'), 'Arn'] },
      WebACLArn: { 'Fn::GetAtt': [acl?.[0], 'Arn'] },
    });
  });

  test('is left out where the stage does without', () => {
    const acls = resources(staging, 'AWS::WAFv2::WebACL').map(([, { Properties }]) => Properties['Scope']);
    expect(acls).toEqual(['CLOUDFRONT']);
    expect(resources(staging, 'AWS::WAFv2::WebACLAssociation')).toEqual([]);
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
