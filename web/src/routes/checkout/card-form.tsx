import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

interface CardFormProps {
  stripe: Stripe;
  clientSecret: string;
}

/** Stripe's own form, in a frame of Stripe's. When it is done it goes to the return page. */
export function CardForm({ stripe, clientSecret }: CardFormProps) {
  const [guarded] = useState(() => whileOpen(stripe));
  const [options] = useState({ clientSecret });
  useEffect(() => {
    guarded.enter();
    return () => guarded.leave();
  }, [guarded]);
  return (
    <EmbeddedCheckoutProvider stripe={guarded.stripe} options={options}>
      <EmbeddedCheckout />
    </EmbeddedCheckoutProvider>
  );
}

// Stripe allows one form per document, and counts one that is still being made.
let earlier: Promise<unknown> = Promise.resolve();

/**
 * The provider forgets a form that is ready only after the page was left, and Stripe then refuses the next one.
 * This Stripe destroys such a form, and makes the next when that has happened.
 */
function whileOpen(stripe: Stripe) {
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
}
