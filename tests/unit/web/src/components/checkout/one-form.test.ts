import type { Stripe, StripeEmbeddedCheckout } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { oneFormAtATime } from '../../../../../../web/src/components/checkout/one-form.ts';

/** A fake Stripe that allows one form at a time, from the call that creates it until it is destroyed. */
function strictStripe() {
  let openForms = 0;
  const ready: (() => void)[] = [];
  const stripe = {
    name: 'Stripe',
    nameOf() {
      return this.name;
    },
    async createEmbeddedCheckoutPage() {
      if (openForms > 0) throw new Error('You cannot have multiple Embedded Checkout objects.');
      openForms += 1;
      await new Promise<void>((resolve) => ready.push(resolve));
      const form = {
        destroy: () => {
          openForms -= 1;
        },
      };
      return form as unknown as StripeEmbeddedCheckout;
    },
  };
  return {
    stripe: stripe as unknown as Stripe & { nameOf: () => string },
    /** Completes the form under construction. */
    finish: async () => {
      await Promise.resolve();
      ready.shift()?.();
    },
    openForms: () => openForms,
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a form that is ready after its page was left is destroyed, and the next page gets its own', async () => {
  const { stripe, finish, openForms } = strictStripe();
  const guard = oneFormAtATime();
  const left = guard(stripe);
  void left.stripe.createEmbeddedCheckoutPage({});
  left.leave();
  const shown = guard(stripe).stripe.createEmbeddedCheckoutPage({});
  await finish();
  await settled();
  await finish();
  await expect(shown).resolves.toBeDefined();
  expect(openForms()).toBe(1);
});

test('a page that React mounts twice keeps its form', async () => {
  const { stripe, finish, openForms } = strictStripe();
  const page = oneFormAtATime()(stripe);
  page.enter();
  const made = page.stripe.createEmbeddedCheckoutPage({});
  page.leave();
  page.enter();
  await finish();
  await made;
  expect(openForms()).toBe(1);
});

test('a form that could not be made doesn’t block the next form', async () => {
  const { stripe, finish } = strictStripe();
  const guard = oneFormAtATime();
  const broken = { ...stripe, createEmbeddedCheckoutPage: () => Promise.reject(new Error('No.')) };
  await expect(guard(broken).stripe.createEmbeddedCheckoutPage({})).rejects.toThrow('No.');
  const shown = guard(stripe).stripe.createEmbeddedCheckoutPage({});
  await settled();
  await finish();
  await expect(shown).resolves.toBeDefined();
});

test('all other members of Stripe are passed through', () => {
  const { stripe } = strictStripe();
  const guarded = oneFormAtATime()(stripe).stripe as typeof stripe;
  expect(guarded.nameOf()).toBe('Stripe');
});
