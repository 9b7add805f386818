import { Aws, Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { endpoint as cspReport } from '../../../schemas/routes/csp-report.ts';
import { API_STAGE } from '../api/api.ts';

const REPORTS = `/${API_STAGE}${cspReport.path}`;

/** The group to which browsers also report crashes and interventions. */
const REPORTING_GROUP = 'default';

const commonHeaders = (includeSubdomains = false): ResponseSecurityHeadersBehavior => ({
  strictTransportSecurity: { accessControlMaxAge: Duration.days(730), includeSubdomains, override: true },
  contentTypeOptions: { override: true },
  frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
  // Addresses may contain codes from mail links, and the relay's tokens.
  referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
  // Off: attackers could make the filter of old browsers remove a page's scripts. The policy replaces the
  // filter.
  xssProtection: { protection: false, override: true },
});

/** No other site may load our files and answers, whatever their type. */
const resourcePolicy = { header: 'cross-origin-resource-policy', value: 'same-origin', override: true };

/**
 * The headers of pages and files. `inline`: sources of the inline scripts; `signIn`: the hosted domain;
 * `isSearchable`: whether search engines may list pages.
 */
export const pageHeaders = (
  scope: Construct,
  {
    inline,
    signIn,
    isSearchable,
    subdomainsNeedTls,
  }: {
    inline: readonly string[];
    signIn: string;
    isSearchable: boolean;
    subdomainsNeedTls: boolean | undefined;
  },
): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, 'Headers', {
    securityHeadersBehavior: {
      ...commonHeaders(subdomainsNeedTls),
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(inline, signIn), override: true },
    },
    customHeadersBehavior: {
      customHeaders: [
        resourcePolicy,
        // Isolates pages from windows that open them. Banks open popups from a checkout.
        { header: 'cross-origin-opener-policy', value: 'same-origin-allow-popups', override: true },
        {
          header: 'permissions-policy',
          value: 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
          override: true,
        },
        { header: 'reporting-endpoints', value: `${REPORTING_GROUP}="${REPORTS}"`, override: true },
        // Search engines take the canonical address for a hint alone.
        ...(isSearchable ? [] : [{ header: 'x-robots-tag', value: 'noindex', override: true }]),
      ],
    },
  });

/** The headers of the API's answers. No browser shows an answer as a page. */
export const apiHeaders = (scope: Construct, subdomainsNeedTls?: boolean): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, 'ApiHeaders', {
    securityHeadersBehavior: {
      ...commonHeaders(subdomainsNeedTls),
      contentSecurityPolicy: {
        contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        override: true,
      },
    },
    customHeadersBehavior: { customHeaders: [resourcePolicy] },
  });

/**
 * Allows the site's own scripts, the sources that Stripe documents for Stripe.js and embedded checkout, and
 * for Amplify Cognito's API and the hosted domain (token requests). Why without Trusted Types:
 * .github/decisions/0049-edge.md
 */
function contentSecurityPolicy(inline: readonly string[], signIn: string): string {
  const stripe = 'https://js.stripe.com https://*.js.stripe.com https://checkout.stripe.com';
  const directives: Record<string, string> = {
    'default-src': "'self'",
    'script-src': ["'self'", ...inline, stripe].join(' '),
    // Pages have inline styles, and Stripe.js and React set styles on elements. Styles can't run code.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: https://*.stripe.com",
    'font-src': "'self'",
    'connect-src': `'self' https://cognito-idp.${Aws.REGION}.amazonaws.com ${signIn} https://api.stripe.com https://checkout.stripe.com`,
    'frame-src': `${stripe} https://hooks.stripe.com`,
    'frame-ancestors': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    // `report-uri` is for browsers that don't know `report-to`.
    'report-uri': REPORTS,
    'report-to': REPORTING_GROUP,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
