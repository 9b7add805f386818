import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Pools } from '../../aws/cognito/pools.ts';
import { Store } from '../../base/store.ts';

const POOL = 'us-east-1_Planned';
const pool = { UsernameAttributes: ['email'] };
const client = { ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'] };
const withoutRefresh = { ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'] };

// Shared: it keeps the pool's keys, which take long to make.
const store = new Store(':memory:');
let pools: Pools;

beforeEach(() => {
  pools = new Pools({ origin: 'http://127.0.0.1', store });
});
afterAll(() => store.close());

type Plan = 'LITE' | 'ESSENTIALS' | 'PLUS';
type Properties = Record<string, unknown>;
interface Declared {
  pool?: Properties;
  client?: Properties;
  domain?: Properties;
}

/** Declares a pool on this plan with what it is given, as a template does. */
function declare(UserPoolTier: Plan | undefined, declared: Declared): void {
  pools.put(POOL, { ...pool, ...(UserPoolTier && { UserPoolTier }), ...declared.pool });
  if (declared.domain) pools.putDomain(POOL, { Domain: 'sign-in', ...declared.domain });
  if (declared.client) pools.putClient(POOL, 'web', declared.client);
}

/** Empty if nothing is refused. */
function refusalOf(plan: Plan, declared: Declared): string {
  try {
    declare(plan, declared);
    return '';
  } catch (error) {
    return String(error);
  }
}

const onHigherPlans = 'ESSENTIALS';
const onPlusOnly = 'PLUS';

describe.each<[feature: string, needs: Plan, declared: Declared]>([
  [
    'Refresh Token Rotation',
    onHigherPlans,
    { client: { ...withoutRefresh, RefreshTokenRotation: { Feature: 'ENABLED' } } },
  ],
  [
    'Choice-Based Sign-In',
    onHigherPlans,
    { client: { ExplicitAuthFlows: [...client.ExplicitAuthFlows, 'ALLOW_USER_AUTH'] } },
  ],
  [
    'Passwordless Sign-In',
    onHigherPlans,
    { pool: { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP'] } } } },
  ],
  [
    'Passwordless Sign-In',
    onHigherPlans,
    { pool: { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['WEB_AUTHN'] } } } },
  ],
  ['Passkeys', onHigherPlans, { pool: { WebAuthnRelyingPartyID: 'selfsame.example' } }],
  ['Passkeys', onHigherPlans, { pool: { WebAuthnUserVerification: 'required' } }],
  ['Email MFA', onHigherPlans, { pool: { MfaConfiguration: 'OPTIONAL', EnabledMfas: ['EMAIL_OTP'] } }],
  ['Email MFA', onHigherPlans, { pool: { EmailAuthenticationMessage: 'Your code is {####}' } }],
  [
    'Password Reuse Prevention',
    onHigherPlans,
    { pool: { Policies: { PasswordPolicy: { PasswordHistorySize: 1 } } } },
  ],
  [
    'Access Token Customization',
    onHigherPlans,
    { pool: { LambdaConfig: { PreTokenGenerationConfig: { LambdaArn: 'arn', LambdaVersion: 'V2_0' } } } },
  ],
  [
    'Access Token Customization',
    onHigherPlans,
    { pool: { LambdaConfig: { PreTokenGenerationConfig: { LambdaArn: 'arn', LambdaVersion: 'V3_0' } } } },
  ],
  ['Managed Login', onHigherPlans, { domain: { ManagedLoginVersion: 2 } }],
  ['Threat Protection', onPlusOnly, { pool: { UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' } } }],
  ['Threat Protection', onPlusOnly, { pool: { UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' } } }],
  [
    'Threat Protection',
    onPlusOnly,
    {
      pool: {
        UserPoolAddOns: {
          AdvancedSecurityMode: 'OFF',
          AdvancedSecurityAdditionalFlows: { CustomAuthMode: 'AUDIT' },
        },
      },
    },
  ],
])('%s', (feature, needs, declared) => {
  const plans: Plan[] = ['LITE', 'ESSENTIALS', 'PLUS'];

  test.each(plans.slice(0, plans.indexOf(needs)))(`is refused on %s: ${JSON.stringify(declared)}`, (plan) => {
    expect(() => declare(plan, declared)).toThrow(
      `FeatureUnavailableInTierException: The following features need to be disabled for the ${plan} pricing tier configured: ${feature} (`,
    );
  });

  test.each(plans.slice(plans.indexOf(needs)))(`is part of %s: ${JSON.stringify(declared)}`, (plan) => {
    // The stand-in doesn't imitate most of them, and says that instead.
    expect(refusalOf(plan, declared)).toMatch(/^$|^Error: The local Cognito doesn't support /);
  });
});

test.each<[string, Declared]>([
  [
    'passwords as the only first factor',
    { pool: { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] } } } },
  ],
  ['no password history', { pool: { Policies: { PasswordPolicy: { PasswordHistorySize: 0 } } } }],
  ['one-time passwords of an app', { pool: { EnabledMfas: ['SOFTWARE_TOKEN_MFA'] } }],
  [
    'events of version 1 before tokens',
    { pool: { LambdaConfig: { PreTokenGenerationConfig: { LambdaArn: 'arn', LambdaVersion: 'V1_0' } } } },
  ],
  ['threat protection that is off', { pool: { UserPoolAddOns: { AdvancedSecurityMode: 'OFF' } } }],
  ['the classic sign-in pages', { domain: { ManagedLoginVersion: 1 } }],
  ['rotation that is off', { client: { ...client, RefreshTokenRotation: { Feature: 'DISABLED' } } }],
])('%s need no plan', (_, declared) => {
  expect(refusalOf('LITE', declared)).not.toContain('FeatureUnavailableInTierException');
});

test('a pool that names no plan is on Essentials', () => {
  declare(undefined, { client: { ...withoutRefresh, RefreshTokenRotation: { Feature: 'ENABLED' } } });
  expect(() => declare(undefined, { pool: { UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' } } })).toThrow(
    'for the ESSENTIALS pricing tier configured: Threat Protection',
  );
});

test('a refusal names every feature that the plan lacks', () => {
  const both = {
    WebAuthnUserVerification: 'required',
    Policies: { PasswordPolicy: { PasswordHistorySize: 5 } },
  };
  expect(() => declare('LITE', { pool: both })).toThrow('configured: Passkeys, Password Reuse Prevention (');
});
