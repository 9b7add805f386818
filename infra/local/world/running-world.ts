import { resourceTypes, type RunningServices } from '../aws/services.ts';
import type { Clock } from '../base/clock.ts';
import { after } from '../base/duration.ts';
import type { Inbox } from '../base/inbox.ts';
import type { ConnectedStripe } from '../vendors/connect-stripe.ts';
import type { LocalOrigins } from '../stack/addresses.ts';
import type { Deployment } from '../stack/deployment.ts';
import { type Synthesized, Template } from '../stack/template.ts';
import type { StripeKeys } from '../vendors/stripe-test-mode.ts';

export interface WorldOptions {
  /** The port of the site and the API. The next three are for Cognito, Stripe and the identity providers. */
  port: number;
  dataDir: string;
  /** The site from its sources, served by Vite, or the built site in the folder `dist`. */
  site: { kind: 'development' } | { kind: 'built'; dist: string };
  /** Removes all state first. */
  fresh?: boolean;
  /** A stack with this site, already synthesized. @default the world synthesizes, and watches for changes */
  synthesized?: Synthesized;
  /** Keys of Stripe's test mode, which then replaces the stand-in. */
  stripe?: StripeKeys | undefined;
  /** Called for each slow step and each line that functions log. @default silent */
  say?: (line: string) => void;
}

export type RunningWorld = ReturnType<typeof operations> & { stop(): Promise<void> };

/** Moves the world forward. Undefined if `duration` is no ISO 8601 duration of at most a century. */
export async function advance(
  clock: Clock,
  stripe: ConnectedStripe,
  duration: string,
): Promise<Date | undefined> {
  const now = clock.now();
  const end = after(now, duration);
  if (!end) return undefined;
  const moved = await clock.advance(end.getTime() - now.getTime());
  if (stripe.kind === 'stand-in') await stripe.service.allDelivered();
  return moved;
}

/** The operations of a running world for programs. */
export function operations({
  clock,
  inbox,
  services: { dynamodb, scheduler },
  stripe,
  deployment,
  origins,
}: {
  clock: Clock;
  inbox: Inbox;
  services: RunningServices;
  stripe: ConnectedStripe;
  deployment: Deployment;
  origins: LocalOrigins;
}) {
  return {
    /** The origin of the site, like `http://localhost:3000`. */
    origin: origins.site,
    /** Newest first. */
    mail: () => inbox.list(),
    /** Moves the whole world forward by an ISO 8601 duration. */
    advance: async (duration: string) => {
      const now = await advance(clock, stripe, duration);
      if (!now) throw new Error(`${duration} is not an ISO 8601 duration.`);
      return now;
    },
    /** Fires a schedule now. `name`: without product and stage. */
    fireSchedule: async (name: string) => {
      const outcome = await scheduler.fire(name);
      if (!outcome) throw new Error(`There is no schedule ${name}.`);
      return outcome;
    },
    /** Rows of a table, by its construct's name, like `UserPlans`. */
    rows: async (table: string) => {
      const rows = await dynamodb.rows(table);
      if (!rows) throw new Error(`There is no table ${table}.`);
      return rows;
    },
    /** Newest first. Empty in Stripe's test mode. */
    stripeEvents: () => (stripe.kind === 'stand-in' ? stripe.service.listEvents() : []),
    /** Updates the services to another template. If the update fails, they keep the old template. */
    update: async (synthesized: Synthesized) => deployment.deploy(Template.read(synthesized, resourceTypes)),
  };
}
