/** Cognito's feature plans. Each plan includes the plan before it. */
const plans = ['LITE', 'ESSENTIALS', 'PLUS'] as const;
type Plan = (typeof plans)[number];

type Properties = Record<string, unknown>;

interface Feature {
  /** The feature's name: Cognito's if a report quotes it, otherwise the developer guide's. */
  name: string;
  needs: Plan;
  isIn: (properties: Properties) => boolean;
}

/** The value at a path of properties. Undefined if there is none. */
function at(properties: unknown, ...path: readonly string[]): unknown {
  let value = properties;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

const listAt = (properties: Properties, ...path: readonly string[]): unknown[] => {
  const value = at(properties, ...path);
  return Array.isArray(value) ? value : [];
};

const isActive = (mode: unknown): boolean => mode === 'AUDIT' || mode === 'ENFORCED';

// "User pool feature plans", "Turning off features to change feature plans" and the pages of the plans in the
// developer guide. The API reference names the plan of sign-in policy, email MFA, passkeys and threat
// protection, too.
const ofPools: readonly Feature[] = [
  {
    name: 'Passwordless Sign-In',
    needs: 'ESSENTIALS',
    isIn: (pool) =>
      listAt(pool, 'Policies', 'SignInPolicy', 'AllowedFirstAuthFactors').some(
        (factor) => factor !== 'PASSWORD',
      ),
  },
  {
    name: 'Passkeys',
    needs: 'ESSENTIALS',
    isIn: (pool) =>
      ['WebAuthnRelyingPartyID', 'WebAuthnUserVerification', 'WebAuthnFactorConfiguration'].some(
        (name) => at(pool, name) !== undefined,
      ),
  },
  {
    name: 'Email MFA',
    needs: 'ESSENTIALS',
    isIn: (pool) =>
      listAt(pool, 'EnabledMfas').includes('EMAIL_OTP') ||
      at(pool, 'EmailAuthenticationMessage') !== undefined ||
      at(pool, 'EmailAuthenticationSubject') !== undefined,
  },
  {
    name: 'Password Reuse Prevention',
    needs: 'ESSENTIALS',
    isIn: (pool) => Number(at(pool, 'Policies', 'PasswordPolicy', 'PasswordHistorySize') ?? 0) > 0,
  },
  {
    // Events of version 1 can change ID tokens on every plan.
    name: 'Access Token Customization',
    needs: 'ESSENTIALS',
    isIn: (pool) =>
      ['V2_0', 'V3_0'].includes(
        String(at(pool, 'LambdaConfig', 'PreTokenGenerationConfig', 'LambdaVersion')),
      ),
  },
  {
    name: 'Threat Protection',
    needs: 'PLUS',
    isIn: (pool) =>
      isActive(at(pool, 'UserPoolAddOns', 'AdvancedSecurityMode')) ||
      isActive(at(pool, 'UserPoolAddOns', 'AdvancedSecurityAdditionalFlows', 'CustomAuthMode')),
  },
];

const ofClients: readonly Feature[] = [
  {
    // The announcement names the plans; the developer guide and the references don't.
    name: 'Refresh Token Rotation',
    needs: 'ESSENTIALS',
    isIn: (client) => at(client, 'RefreshTokenRotation', 'Feature') === 'ENABLED',
  },
  {
    name: 'Choice-Based Sign-In',
    needs: 'ESSENTIALS',
    isIn: (client) => listAt(client, 'ExplicitAuthFlows').includes('ALLOW_USER_AUTH'),
  },
];

const ofDomains: readonly Feature[] = [
  {
    // Version 1 is the classic hosted UI.
    name: 'Managed Login',
    needs: 'ESSENTIALS',
    isIn: (domain) => Number(at(domain, 'ManagedLoginVersion') ?? 1) >= 2,
  },
];

const features = { 'user pool': ofPools, 'user pool client': ofClients, domain: ofDomains } as const;

/** Throws, as Cognito does, if a resource names features that the pool's plan doesn't have. */
export function checkFeatures(
  kind: keyof typeof features,
  id: string,
  plan: Plan,
  properties: Properties,
): void {
  const missing = features[kind].filter(
    (feature) => plans.indexOf(feature.needs) > plans.indexOf(plan) && feature.isIn(properties),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw new Error(
    `FeatureUnavailableInTierException: The following features need to be disabled for the ${plan} pricing tier configured: ${names} (${kind} ${id}).`,
  );
}

/** The plan of a pool whose properties aren't checked yet. */
export const planOf = ({ UserPoolTier }: Properties): Plan =>
  plans.find((plan) => plan === UserPoolTier) ?? 'ESSENTIALS';
