import type { ProviderKey } from '../../schemas/providers.ts';
import type { TableId } from '../tables.ts';

/**
 * Where a stage can run. The privacy policy says that hosting is in the United States. To add a region
 * elsewhere, change the policy (`web/content/legal`) first.
 */
export type Region = 'us-east-1' | 'us-east-2' | 'us-west-1' | 'us-west-2';

/** What a deployer sets for a stage: `infra/stages/staging.ts` and `production.ts`. */
export interface Stage {
  /**
   * Where everything runs but CloudFront and its web ACL, which AWS has in us-east-1 alone. In another region
   * the web ACL gets a small stack of its own there, which is deployed along, and CloudFront has no access
   * log. To move a stage is to deploy a new one: nothing takes accounts from one region to another.
   */
  region: Region;
  /**
   * Cognito's feature plan. ESSENTIALS adds refresh token rotation, at about three times the price:
   * .github/decisions/0007-cognito-lite-and-rotation.md
   */
  featurePlan: 'LITE' | 'ESSENTIALS';
  /** Whether tables and the user pool are protected from deletion, and kept when the stack is deleted. */
  keepsData: boolean;
  /** Stripe's publishable key, of test or of live mode. It is public: every checkout page contains it. */
  stripePublishableKey: `pk_test_${string}` | `pk_live_${string}`;
  /**
   * Which providers users can sign in with, in the order of the buttons. Without a provider, its keys aren't
   * needed, and the site has no button for it; the local product has all. To leave one out later locks out
   * accounts that have no other way to sign in: they have to reset a password first.
   */
  providers: readonly ProviderKey[];
  /** Requests a second and burst, over all callers together. */
  throttle: { rate: number; burst: number };
  /**
   * Names of the keys by which functions know that a request comes through CloudFront: it sends the first,
   * they accept all. `.github/runbook.md` says how to replace a key. @default one key
   */
  originKeys?: readonly [string, ...string[]];
  /** Days that function and access logs are kept. */
  logDays: 7 | 30 | 90;
  /** Where alarms are mailed to. AWS asks this address once for each topic whether it wants them. */
  alarmEmail: string;
  /**
   * HTTPS address of a pager that takes messages of SNS. It gets the alarms that page. Without it they are
   * only mailed.
   */
  alarmPageUrl?: `https://${string}`;
  /** Where a browser finds `.github/runbook.md`. Alarms link to it. @default they name its path */
  runbookUrl?: `https://${string}`;
  /**
   * Whether a user of our own signs in every five minutes, to notice when the site doesn't work. Staging has
   * none: the local world runs its template.
   */
  canary?: boolean;
  /**
   * Whether the user pool has a web ACL, which limits the sign-ups, resets and sign-ins of one IP address. It
   * costs about $9 a month. Without it, only Cognito's own limits count. @default false
   */
  signInFirewall?: boolean;
  /**
   * First part of the sign-in address, `https://<prefix>.auth.<region>.amazoncognito.com`. Unique among all
   * AWS accounts in the region. Lower-case letters, digits and hyphens, without the words aws, amazon and
   * cognito.
   */
  signInPrefix: string;
  /** The addresses of apps that the relay may send sessions to. `schemas/relay-address.ts` compares them. */
  relayAddresses: readonly string[];
  /** Sender of the mail. Its domain becomes an SES identity, whose DNS records the deployment prints. */
  mailbox: `${string}@${string}`;
  /**
   * Whether Cognito sends through SES. Set it to true once SES has verified the domain and the account is out
   * of the SES sandbox: before, the deployment fails or no new user gets a code, and the preflight refuses.
   * While it is false, Cognito sends up to fifty mails a day, in its own words and without links.
   */
  sendsThroughSes: boolean;
  /**
   * The site's own domain and its certificate, which CloudFront takes from us-east-1 alone. Without it the
   * site has CloudFront's domain.
   */
  domain?: { name: string; certificateArn: `arn:aws:acm:us-east-1:${string}` };
  /**
   * Tables that were restored under another name, and are in use in place of the stack's own.
   * `npm run restore-table` prints what to set. The stack neither changes nor deletes such a table.
   */
  restoredTables?: Partial<Record<TableId, string>>;
  /**
   * Raise it to give the stage a new, empty user pool, after the pool was deleted. If the lost pool still
   * exists, set another `signInPrefix` too. See "The user pool is lost" in the runbook first. @default 1
   */
  userPoolNumber?: number;
  /**
   * Whether nobody can make an account. Sign-ins with providers are closed then, too: the first one makes an
   * account. For a new pool until the users of the lost one are restored in it. @default false
   */
  signUpsClosed?: boolean;
}
