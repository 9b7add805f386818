import type { Stripe } from '@stripe/stripe-js';

/** A Stripe instance for one card form, notified when that form mounts and unmounts. */
interface GuardedStripe {
  stripe: Stripe;
  enter: () => void;
  leave: () => void;
}

/**
 * Stripe allows one embedded form per document, forms under construction included. Stripe's React provider
 * doesn't destroy a form that is constructed after the user left its page, and Stripe then refuses the next
 * form. The guards made here destroy such a form before they construct the next one.
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
