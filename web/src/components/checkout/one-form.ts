import type { Stripe } from '@stripe/stripe-js';

/** A Stripe that is used by one card form on the page, and knows whether that is still there. */
interface GuardedStripe {
  stripe: Stripe;
  enter: () => void;
  leave: () => void;
}

/**
 * Stripe allows one form per document, and counts one that is still being made. The provider forgets such a form when the
 * page is left, and Stripe then refuses the next one. What this resolves with makes Stripes that destroy a form
 * nobody waits for any more, and make the next when that has happened.
 */
export function oneFormAtATime(): (stripe: Stripe) => GuardedStripe {
  let earlier: Promise<unknown> = Promise.resolve();
  return (stripe) => {
    let open = true;
    const create: Stripe['createEmbeddedCheckoutPage'] = (options) => {
      const made = earlier.then(async () => {
        const form = await stripe.createEmbeddedCheckoutPage(options);
        if (!open) form.destroy();
        return form;
      });
      earlier = made.catch(() => undefined);
      return made;
    };
    return {
      stripe: new Proxy(stripe, {
        get(target, property) {
          if (property === 'createEmbeddedCheckoutPage') return create;
          const value: unknown = Reflect.get(target, property);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
      enter: () => {
        open = true;
      },
      leave: () => {
        open = false;
      },
    };
  };
}
