import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { oneFormAtATime } from './one-form.ts';

interface CardFormProps {
  stripe: Stripe;
  clientSecret: string;
}

const guard = oneFormAtATime();

/** Stripe's embedded form. After the payment it redirects to the return page. */
export function CardForm({ stripe, clientSecret }: CardFormProps) {
  const [guarded] = useState(() => guard(stripe));
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
