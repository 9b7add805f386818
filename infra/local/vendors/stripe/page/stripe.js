// Defines window.Stripe in place of https://js.stripe.com/<train>/stripe.js; `loadStripe` uses it if it
// exists. Served with the two constants below filled in.
(() => {
  const ORIGIN = '{{origin}}';
  const RELEASE_TRAIN = '{{releaseTrain}}';

  class IntegrationError extends Error {
    name = 'IntegrationError';
  }

  const absent = (name) => () => {
    throw new IntegrationError(`The local stand-in for Stripe.js has no ${name}.`);
  };

  // Stripe.js allows one Embedded Checkout per page, from its creation until it is destroyed.
  let current;

  class EmbeddedCheckout {
    #frame = document.createElement('iframe');
    #onMessage;
    #destroyed = false;

    constructor(clientSecret) {
      const address = new URL(`/embedded/${encodeURIComponent(clientSecret)}`, ORIGIN);
      address.searchParams.set('parent', location.origin);
      this.#frame.src = address.href;
      this.#frame.name = 'embedded-checkout';
      this.#frame.title = 'Secure payment input frame';
      this.#frame.allow = 'payment *';
      // The initial size, until the frame reports its height.
      Object.assign(this.#frame.style, {
        border: '0',
        borderRadius: '0.75rem',
        display: 'block',
        width: '100%',
        height: '40rem',
      });
      this.#onMessage = (event) => {
        if (event.origin !== ORIGIN || event.source !== this.#frame.contentWindow) return;
        if (event.data?.type === 'height') this.#frame.style.height = `${Number(event.data.height)}px`;
        if (event.data?.type !== 'complete') return;
        location.assign(event.data.returnUrl);
      };
      window.addEventListener('message', this.#onMessage);
    }

    mount(place) {
      this.#assertAlive('mount');
      const element = typeof place === 'string' ? document.querySelector(place) : place;
      if (!element)
        throw new IntegrationError(`The selector you specified (${place}) applies to no DOM elements.`);
      element.append(this.#frame);
    }

    unmount() {
      this.#assertAlive('unmount');
      this.#frame.remove();
    }

    destroy() {
      if (this.#destroyed) return;
      this.#destroyed = true;
      window.removeEventListener('message', this.#onMessage);
      this.#frame.remove();
      current = undefined;
    }

    #assertAlive(action) {
      if (this.#destroyed) {
        throw new IntegrationError(`This Embedded Checkout has been destroyed; you cannot ${action} it.`);
      }
    }
  }

  async function createEmbeddedCheckoutPage({ clientSecret, fetchClientSecret } = {}) {
    if (current) throw new IntegrationError('You cannot have multiple Embedded Checkout objects.');
    const claim = {};
    current = claim;
    try {
      const secret = clientSecret ?? (await fetchClientSecret());
      if (typeof secret !== 'string' || !secret.includes('_secret_')) {
        throw new IntegrationError('The client secret of a Checkout Session looks like cs_…_secret_….');
      }
      return new EmbeddedCheckout(secret);
    } catch (error) {
      if (current === claim) current = undefined;
      throw error;
    }
  }

  window.Stripe = Object.assign(
    (key) => {
      if (typeof key !== 'string' || !key.startsWith('pk_')) {
        throw new IntegrationError('Please call Stripe() with your publishable key. It begins with pk_.');
      }
      return {
        createEmbeddedCheckoutPage,
        // react-stripe-js checks for these to recognize a Stripe object.
        elements: absent('elements'),
        createToken: absent('createToken'),
        createPaymentMethod: absent('createPaymentMethod'),
        confirmCardPayment: absent('confirmCardPayment'),
        // Wrapper libraries register here.
        _registerWrapper() {},
        registerAppInfo() {},
      };
    },
    { version: RELEASE_TRAIN },
  );
})();
