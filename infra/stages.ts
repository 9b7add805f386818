import { product } from '../schemas/product.ts';

/** What differs between the stages. Everything else is the same stack. */
export interface Stage {
  /**
   * Cognito's feature plan. ESSENTIALS adds refresh token rotation, at about three times the price:
   * .github/decisions/0007-cognito-lite-and-rotation.md
   */
  featurePlan: 'LITE' | 'ESSENTIALS';
  /** Whether tables and the user pool outlive a deleted stack, and refuse to be deleted by accident. */
  keepsData: boolean;
  /** Stripe's publishable key. It is public: it stands in every checkout page. */
  stripePublishableKey: string;
  /** Requests a second over all callers together, and how many may come at once. */
  throttle: { rate: number; burst: number };
  /** Days that function and access logs are kept. */
  logDays: 7 | 30 | 90;
  /** Gets an email when an alarm goes off. Where it is absent, synthesis warns and production is not deployed. */
  alarmEmail?: string;
  /**
   * First part of the hosted sign-in's address, `https://<prefix>.auth.us-east-1.amazoncognito.com`.
   * Unique among all AWS accounts in the region.
   */
  signInPrefix: string;
  /**
   * Where the relay may send a session to: the addresses of the apps that were let in. Anything else is shown an error, so
   * an app is added here and deployed. How they are compared stands in `schemas/relay-address.ts`.
   */
  relayAddresses: readonly string[];
  /** Mailbox that our own mail comes from. The part behind @ becomes an SES identity, whose DNS records the deployment prints. */
  mailbox: `${string}@${string}`;
  /**
   * Whether Cognito sends through SES. True only once SES has verified the domain and the account has left
   * SES's sandbox, where SES refuses every recipient that is not verified. Until then Cognito sends fifty mails
   * a day itself.
   */
  sendsThroughSes: boolean;
  /** The site's own domain and its certificate in us-east-1; CloudFront's domain where it is absent. */
  domain?: { name: string; certificateArn: string };
}

// A desktop app or a developer's own machine: RFC 8252, 7.1 and 7.3.
const ownMachine = [
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
    relayAddresses: ownMachine,
    mailbox: `no-reply@staging.${product.mailDomain}`,
    sendsThroughSes: false,
  },
  production: {
    featurePlan: 'LITE',
    keepsData: true,
    stripePublishableKey: 'pk_live_put_yours_here',
    // A hundred thousand monthly users come at some ten requests a second at the busiest; ten times that is
    // left for a good day, and what is beyond is an attack.
    throttle: { rate: 100, burst: 200 },
    logDays: 90,
    signInPrefix: `${product.slug}-production`,
    relayAddresses: ownMachine,
    mailbox: `no-reply@${product.mailDomain}`,
    sendsThroughSes: false,
  },
} as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;
