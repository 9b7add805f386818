import { product } from '../schemas/product.ts';

/** What differs between stages. */
export interface Stage {
  /**
   * Cognito's feature plan. ESSENTIALS adds refresh token rotation, at about three times the price:
   * .github/decisions/0007-cognito-lite-and-rotation.md
   */
  featurePlan: 'LITE' | 'ESSENTIALS';
  /** Whether tables and the user pool are protected from deletion, and kept when the stack is deleted. */
  keepsData: boolean;
  /** Stripe's publishable key. It is public: every checkout page contains it. */
  stripePublishableKey: string;
  /** Requests a second and burst, over all callers together. */
  throttle: { rate: number; burst: number };
  /** Days that function and access logs are kept. */
  logDays: 7 | 30 | 90;
  /** Where alarms are mailed to. Without it synthesis warns, and production is not deployed. */
  alarmEmail?: string;
  /** HTTPS address of a pager that takes SNS messages. Without it, urgent alarms are only mailed. */
  alarmPageUrl?: string;
  /**
   * Whether a user of our own signs in every five minutes, to notice when the site does not work. The local
   * world runs staging's template, and has none.
   */
  canary?: boolean;
  /** Where a browser finds `.github/runbook.md`. Alarms link to it. @default they name its path */
  runbookUrl?: string;
  /**
   * First part of the sign-in address, `https://<prefix>.auth.us-east-1.amazoncognito.com`. Unique among all
   * AWS accounts in the region.
   */
  signInPrefix: string;
  /** The addresses of apps that the relay may send sessions to. `schemas/relay-address.ts` compares them. */
  relayAddresses: readonly string[];
  /** Sender of the mail. Its domain becomes an SES identity, whose DNS records the deployment prints. */
  mailbox: `${string}@${string}`;
  /**
   * Whether Cognito sends through SES. Set it to true once SES has verified the domain and the account is out
   * of the SES sandbox, which refuses unverified recipients. Without SES Cognito sends up to fifty mails a
   * day.
   */
  sendsThroughSes: boolean;
  /** The site's own domain and its certificate in us-east-1. Without it the site has CloudFront's domain. */
  domain?: { name: string; certificateArn: string };
}

// The desktop app, and apps under development: RFC 8252, 7.1 and 7.3.
const appAddresses = [
  product.desktopCallback,
  'http://localhost/callback',
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
] as const;

export const stages = {
  staging: {
    featurePlan: 'LITE',
    keepsData: false,
    stripePublishableKey: 'pk_test_put_yours_here',
    throttle: { rate: 50, burst: 100 },
    logDays: 7,
    signInPrefix: `${product.slug}-staging`,
    relayAddresses: appAddresses,
    mailbox: `no-reply@staging.${product.mailDomain}`,
    sendsThroughSes: false,
  },
  production: {
    featurePlan: 'LITE',
    keepsData: true,
    canary: true,
    stripePublishableKey: 'pk_live_put_yours_here',
    // A hundred thousand monthly users make some ten requests a second at peak. Ten times that leaves room
    // for growth.
    throttle: { rate: 100, burst: 200 },
    logDays: 90,
    signInPrefix: `${product.slug}-production`,
    relayAddresses: appAddresses,
    mailbox: `no-reply@${product.mailDomain}`,
    sendsThroughSes: false,
  },
} as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;
