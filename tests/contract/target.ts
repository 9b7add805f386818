import type { Stripe } from 'stripe';

/** The Stripe that this folder's tests run against: the stand-in, or Stripe's test mode. */
export interface Target {
  stripe: Stripe;
  /** Creates a customer whose billing follows `advance`. It is deleted at the end. */
  createCustomer(params?: Stripe.CustomerCreateParams): Promise<Stripe.Customer>;
  /** A monthly price of a product, active, without a lookup key. */
  monthlyPrice(): Promise<Stripe.Price>;
  /** The time of the customers' billing, in Unix seconds. */
  now(): number;
  /** Moves the customers' billing forward. Resolves when everything that was due has happened. */
  advance(seconds: number): Promise<void>;
  /**
   * Reads until there is something to return. Stripe makes events, disputes and payments of test mode some
   * seconds after the request that causes them.
   */
  eventually<T>(read: () => Promise<T | undefined>): Promise<T>;
  /** Pays a session on its page with a card. Only a browser can do that in Stripe's test mode. */
  pay?(session: Stripe.Checkout.Session, number?: string): Promise<void>;
  /** Keeps a customer's invoices from being finalized, as a wrong address for taxes does at Stripe. */
  blockFinalization?(customer: string): void;
  /** Removes what was made. */
  close(): Promise<void>;
}
