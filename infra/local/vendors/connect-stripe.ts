import type { Clock } from '../base/clock.ts';
import type { ReservedPort } from '../base/reserved-port.ts';
import type { Store } from '../base/store.ts';
import { STRIPE_KEYS, WEBHOOK_SECRET } from './credentials.ts';
import type { LocalOrigins } from '../stack/addresses.ts';
import { localStage } from '../stack/local-stage.ts';
import { EventForwarder, type StripeKeys } from './stripe-test-mode.ts';
import { StripeService } from './stripe/service.ts';

/** `stage`: the stage in the mark of our objects at Stripe. `api`: where its calls go. */
export type ConnectedStripe = { stage: string; api: { secretKey: string; origin: string } } & (
  | { kind: 'stand-in'; service: StripeService }
  | { kind: 'real' }
);

/** Starts the stand-in or the test mode's forwarder. Both first send what a killed run left undelivered. */
export function connectStripe(
  {
    clock,
    port,
    keys,
    origins,
    store,
  }: {
    clock: Clock;
    /** Undefined with `keys`. */
    port: ReservedPort | undefined;
    keys: StripeKeys | undefined;
    origins: LocalOrigins;
    store: Store;
  },
  onStop: (stop: () => unknown) => void,
): ConnectedStripe {
  const stage = localStage(store);
  const webhook = { url: `${origins.site}/api/stripe/webhook`, secret: WEBHOOK_SECRET };
  if (keys) {
    const forwarder = new EventForwarder({ keys, store, clock, webhook });
    onStop(() => forwarder.stop());
    forwarder.start();
    return { kind: 'real', stage, api: { secretKey: keys.secretKey, origin: 'https://api.stripe.com' } };
  }
  const { secretKey } = STRIPE_KEYS;
  const service = new StripeService({ clock, store, origin: origins.stripe, secretKey, webhook });
  onStop(() => service.stop());
  if (port) port.handler = service.handle;
  return { kind: 'stand-in', service, stage, api: { secretKey, origin: origins.stripe } };
}
