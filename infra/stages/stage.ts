import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { TableId } from '../../schemas/tables.ts';

/**
 * The regions where a stage can run. The privacy policy says that hosting is in the United States. To add a
 * region elsewhere, change the policy (`web/content/legal`) first.
 */
export type Region = 'us-east-1' | 'us-east-2' | 'us-west-1' | 'us-west-2';

/** The registered address of an app. */
export interface AppAddress {
  /** Compared as a whole string; on loopback hosts, the port doesn't count. */
  address: string;
  /**
   * Whether the address also gets tokens in its query, if an app asks for no code. Tokens in a query may end
   * up in the browser's history and in logs, and their refresh token stays the same for sixty days. @default
   * codes only
   */
  legacy?: true;
}

/** The settings of a stage: `infra/stages/staging.ts` and `production.ts`. */
export interface Stage {
  /**
   * The region of everything but CloudFront and its web ACL, which AWS has only in us-east-1. In another
   * region, the web ACL gets a small stack in us-east-1, which is deployed too, and CloudFront has no access
   * log. To move a stage, deploy a new stage: nothing moves accounts between regions.
   */
  region: Region;
  /** Cognito's feature plan: .github/decisions/0007-cognito-lite-and-rotation.md */
  featurePlan: 'LITE' | 'ESSENTIALS';
  /** Whether tables and the user pool are protected from deletion, and kept when the stack is deleted. */
  keepsData: boolean;
  /** Stripe's publishable key, for test or live mode. The key is public: every checkout page contains it. */
  stripePublishableKey: `pk_test_${string}` | `pk_live_${string}`;
  /**
   * With `automatic`, Stripe Tax computes the taxes that each price includes:
   * .github/decisions/0061-prices-include-taxes.md @default none
   */
  tax?: 'none' | 'automatic';
  /**
   * The providers that users can sign in with, in the order of the buttons. Removing a provider later locks
   * out the accounts that have no other way to sign in, until they reset their password.
   */
  providers: readonly ProviderKey[];
  /** Requests per second and burst, over all callers together. */
  throttle: { rate: number; burst: number };
  /**
   * Names of the keys that tell functions that a request comes through CloudFront, which sends the first key.
   * Functions accept all of them. `.github/recovery-runbook.md` says how to replace a key. @default one key
   */
  originKeys?: readonly [string, ...string[]];
  /** Days that function logs and access logs are kept. */
  logDays: 7 | 30 | 90;
  /** The address that receives alarms. AWS asks for its consent once for each topic. */
  alarmEmail: string;
  /** Dollars a month. AWS Budgets mails `alarmEmail` when the whole account's costs pass them, or will. */
  monthlyBudget: number;
  /** HTTPS address of a pager that accepts SNS messages, for the alarms that page. @default mails alone */
  alarmPageUrl?: `https://${string}`;
  /**
   * Address of `.github/runbook.md` in a browser, for the links in alarms. @default alarms name the path, and
   * link to the dashboard
   */
  runbookUrl?: `https://${string}`;
  /** Whether a test user signs in every five minutes, to notice that the site doesn't work. */
  canary?: boolean;
  /**
   * Names of the alarms, for a stage without users: CloudWatch charges for each metric above ten. @default
   * all
   */
  alarms?: readonly string[];
  /** Whether the site has a web ACL, with rate limits for each IP address. @default throttles alone */
  firewall?: boolean;
  /** Whether the user pool has a web ACL, with limits for an IP address. @default Cognito's own limits */
  signInFirewall?: boolean;
  /**
   * First part of the sign-in address, `https://<prefix>.auth.<region>.amazoncognito.com`, unique among all
   * AWS accounts in the region.
   */
  signInPrefix: string;
  /** The addresses of apps that users may sign in to. `schemas/config/relay-address.ts` compares them. */
  relayAddresses: readonly AppAddress[];
  /** Sender of the mail. Its domain becomes an SES identity, whose DNS records the deployment prints. */
  mailbox: `${string}@${string}`;
  /**
   * Whether Cognito sends through SES, which the preflight refuses until SES is ready. With false, Cognito
   * sends at most fifty mails a day, in its own words and without links.
   */
  sendsThroughSes: boolean;
  /** The site's own domain. @default CloudFront's */
  domain?: {
    name: string;
    /** Another name of the site, which redirects to it: the bare domain beside `www.`, or the reverse. */
    also?: string;
    /** The certificate of both names, which CloudFront accepts only from us-east-1. */
    certificateArn: `arn:aws:acm:us-east-1:${string}`;
    /**
     * Whether browsers refuse to open any subdomain of the site's name without TLS, for two years after a
     * visit. Nothing takes that back: first see that each subdomain has TLS. @default false
     */
    subdomainsNeedTls?: boolean;
  };
  /**
   * Tables that were restored under another name and replace the stack's own: `.github/recovery-runbook.md`.
   * The stack neither changes nor deletes such a table.
   */
  restoredTables?: Partial<Record<TableId, string>>;
  /**
   * Raise this number to give the stage a new, empty user pool after the pool was deleted. If the lost pool
   * still exists, set another `signInPrefix` too. See "The user pool is lost" in the runbook first. @default
   * 1
   */
  userPoolNumber?: number;
  /**
   * Whether the template leaves out the attributes of the pool. Set it once the pool exists, and only if
   * Cognito refuses changes of it with "Invalid AttributeDataType input". @default false
   */
  omitsPoolSchema?: boolean;
  /**
   * Whether nobody can make an account. This also closes sign-ins with providers, since the first sign-in
   * makes an account. For a new pool until the lost pool's users are restored. @default false
   */
  signUpsClosed?: boolean;
}
