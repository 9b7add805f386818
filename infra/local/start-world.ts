import { resourceTypes } from './aws/services.ts';
import { Clock } from './base/clock.ts';
import { Inbox } from './base/inbox.ts';
import { Store } from './base/store.ts';
import { type AwsAsked, startAws } from './in-process/aws.ts';
import { type CognitoAsked, type CognitoStandIn, startCognito } from './in-process/cognito.ts';
import { type HostedAsked, startHostedCognito } from './in-process/hosted-cognito.ts';
import { type StripeAsked, type StripeStandIn, startStripe } from './in-process/stripe.ts';
import { Template } from './stack/template.ts';

export interface Asked {
  stripe?: StripeAsked;
  cognito?: CognitoAsked;
  /** Cognito with a domain and two providers. */
  hostedCognito?: HostedAsked;
  aws?: AwsAsked;
  /** The clock's first time. @default the machine's time */
  start?: string;
  /** A clock of the caller's own. */
  clock?: Clock;
  /** The database with all state. @default none on disk */
  file?: string;
}

interface Services {
  stripe: StripeStandIn;
  cognito: CognitoStandIn;
  hostedCognito: Awaited<ReturnType<typeof startHostedCognito>>;
  aws: Awaited<ReturnType<typeof startAws>>;
}
export type World<Name extends keyof Services = never> = Pick<Services, Name> & {
  clock: Clock;
  store: Store;
  inbox: Inbox;
  stop: () => Promise<void>;
};

/** Starts the asked services in this process, on one clock and one store, each on a port of its own. */
export async function startWorld<Given extends Asked>({
  stripe,
  cognito,
  hostedCognito,
  aws,
  start,
  clock = new Clock(start === undefined ? 0 : Date.parse(start) - Date.now()),
  file = ':memory:',
}: Given): Promise<World<Extract<keyof Given, keyof Services>>> {
  const store = new Store(file);
  const inbox = new Inbox({ clock, store });
  const shared = { clock, store, inbox };
  const services = {
    ...(stripe && { stripe: await startStripe(shared, stripe) }),
    ...(cognito && { cognito: await startCognito(shared, cognito) }),
    ...(hostedCognito && { hostedCognito: await startHostedCognito(shared, hostedCognito) }),
    ...(aws && { aws: await startAws(shared, aws) }),
  };
  const stops = Object.values(services).map((service) => service.stop);
  return {
    // The caller's type has the services that it asked for.
    ...(services as World<Extract<keyof Given, keyof Services>>),
    ...shared,
    async stop(): Promise<void> {
      for (const stop of stops) await stop();
      await clock.stop();
      store.close();
    },
  };
}

export { Clock } from './base/clock.ts';
export { cognitoDefaults } from './in-process/cognito.ts';

/** A CloudFormation template as the local world reads it: names and intrinsics are resolved. */
export const readTemplate = (document: unknown, stackName = 'selfsame-staging'): Template =>
  new Template({ document, types: resourceTypes, stackName });
