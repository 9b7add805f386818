import { paginateListServiceQuotas } from '@aws-sdk/client-service-quotas';
import { type Check, type Finding, warning } from '../check.ts';
import type { Target } from '../target.ts';

/**
 * Requests a second that AWS documents as the defaults ("Quotas in Amazon Cognito", developer guide), with
 * the actions of users that fail above them. A new account may have less.
 */
const expected = {
  UserAuthentication: [120, 'sign in'],
  UserCreation: [50, 'sign up'],
  UserFederation: [25, 'sign in with a provider'],
  UserToken: [120, 'stay signed in'],
} as const satisfies Record<string, readonly [number, string]>;

/** Cognito's limits on the rate of sign-ins and sign-ups, from Service Quotas for the account. */
export const cognitoQuotas = ({ serviceQuotas, stage: { region } }: Target): Check => ({
  name: 'Cognito quotas',
  needsCredentials: true,
  async run() {
    const findings: Finding[] = [];
    const pages = paginateListServiceQuotas({ client: serviceQuotas }, { ServiceCode: 'cognito-idp' });
    for await (const { Quotas = [] } of pages) {
      for (const { QuotaName = '', QuotaCode, Value, Adjustable } of Quotas) {
        const category = /^Rate of (\w+) requests$/.exec(QuotaName)?.[1] ?? '';
        const [limit, activity] = Object.hasOwn(expected, category)
          ? expected[category as keyof typeof expected]
          : [0, ''];
        if (Value === undefined || Value >= limit) continue;
        findings.push(
          warning(
            `At most ${Value} users a second can ${activity} in this account; ${limit} is usual.`,
            Adjustable === false
              ? 'Open a case at https://console.aws.amazon.com/support (Service limit increase, Cognito).'
              : `aws service-quotas request-service-quota-increase --region ${region} --service-code cognito-idp --quota-code ${QuotaCode} --desired-value ${limit}`,
          ),
        );
      }
    }
    return findings;
  },
});
