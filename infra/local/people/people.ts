import { defaultProviders, providers } from '../../../schemas/product/providers.ts';
import type { Credentials, LocalClient } from './client.ts';
import { buyPlus, cards, confirm, giveComplimentaryPlan, signInByProvider, signUp } from './steps.ts';

const [first] = defaultProviders;

/** The password of every seeded user with a password. */
export const PASSWORD = 'correct horse';

interface Person {
  name: string;
  email: string;
  /** The state in the console's words, and the steps that lead there. */
  is: string;
  /** Whether the state needs a payment, which only Stripe's stand-in takes without a browser. */
  pays?: true;
  /** Whether seconds of the world's clock pass, so that no other user may exist whose plan would change. */
  movesClock?: true;
  create: (client: LocalClient, person: Pick<Person, 'name' | 'email'>) => Promise<void>;
}

/** The users in the order of seeding. Users that move the clock come first. */
export const people: readonly Person[] = [
  {
    name: 'Petra Past-Due',
    email: 'past-due@example.com',
    is: 'Plus, past due: the first renewal failed, and the clock is a month ahead',
    pays: true,
    movesClock: true,
    create: async (client, person) => {
      await buyPlus(client, await signUpAndIn(client, person), cards.failsAtRenewal);
      await client.advance('P1MT2H');
    },
  },
  {
    name: 'Fred Free',
    email: 'free@example.com',
    is: 'Free',
    create: async (client, person) => {
      await signUpAndIn(client, person);
    },
  },
  {
    name: 'Paula Plus',
    email: 'plus@example.com',
    is: 'Plus, renewing',
    pays: true,
    create: async (client, person) => buyPlus(client, await signUpAndIn(client, person)),
  },
  {
    name: 'Edda Ending',
    email: 'ending@example.com',
    is: 'Plus until a date: cancelled on the dashboard',
    pays: true,
    create: async (client, person) => {
      const user = await signUpAndIn(client, person);
      await buyPlus(client, user);
      const { token } = user;
      const { stripeSubscriptionId } = await client.call('plan', { token });
      await client.call('cancel-subscription', { token, body: { subscription_id: stripeSubscriptionId } });
    },
  },
  {
    name: 'Carla Complimentary',
    email: 'complimentary@example.com',
    is: 'Complimentary: support wrote Plus into the row',
    create: async (client, person) => {
      const { sub } = await signUpAndIn(client, person);
      await giveComplimentaryPlan(client, sub);
    },
  },
  {
    name: 'Uma Unconfirmed',
    email: 'unconfirmed@example.com',
    is: 'Unconfirmed: signed up, and has not entered the code',
    create: async (client, person) => {
      await signUp(client, withPassword(person));
    },
  },
  ...defaultProviders.map((provider): Person => ({
    name: `Gita ${providers[provider].name}`,
    email: `${provider}@example.com`,
    is: `Free, signs in by ${providers[provider].name}`,
    create: (client, person) => signInByProvider(client, provider, person),
  })),
  {
    name: 'Lina Linked',
    email: 'linked@example.com',
    is: `Free, signs in by password and by ${providers[first].name}`,
    create: async (client, person) => {
      await signUpAndIn(client, person);
      await signInByProvider(client, first, person);
    },
  },
];

const withPassword = <P extends { email: string }>(person: P): P & Credentials => ({
  ...person,
  password: PASSWORD,
});

/** A confirmed user, signed in, who has opened the dashboard. */
async function signUpAndIn(
  client: LocalClient,
  person: { name: string; email: string },
): Promise<{ sub: string; name: string; email: string; token: string }> {
  const sub = await signUp(client, withPassword(person));
  await confirm(client, person.email);
  const token = await client.signIn(withPassword(person));
  await client.call('plan', { token });
  return { ...person, sub, token };
}
