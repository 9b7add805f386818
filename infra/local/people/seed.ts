import { mainOffer } from '../../../schemas/product/offers.ts';
import { defaultProviders } from '../../../schemas/product/providers.ts';
import type { BillingState } from '../../../schemas/rows/billing-state.ts';
import { LocalClient } from './client.ts';
import { PASSWORD, people } from './people.ts';
import {
  changeAndUndoAddress,
  confirm,
  giveComplimentaryPlan,
  mailDifference,
  passIdleStep,
  resetPassword,
  signInByProvider,
  signUp,
} from './steps.ts';

/**
 * Creates a user in each state in the local world at `origin`, and sends each mail once. All steps are those
 * of real users, over HTTP. Skips users that exist, whatever their state.
 */
export async function seedPeople(origin: string, say: (line: string) => void): Promise<void> {
  const client = await LocalClient.at(origin);
  const existing = new Map((await client.accounts()).map(({ email, state }) => [email, state]));
  const isFirstRun = people.every(({ email }) => !existing.has(email));
  let made = 0;
  for (const person of people) {
    const state = existing.get(person.email);
    if (state !== undefined) {
      say(`${person.email} exists and is unchanged: ${state}.`);
    } else if (person.pays && client.endpoints.stripe === null) {
      say(`${person.email} is skipped: Stripe's own test mode accepts payments only in a browser.`);
    } else if (person.movesClock && !isFirstRun) {
      say(`${person.email} is skipped: a month would pass for the others too. Start with --fresh --people.`);
    } else {
      await person.create(client, person);
      say(`${person.email} is ${person.is}.`);
      made += 1;
    }
  }
  if (isFirstRun) {
    await sendOtherMails(client);
    say(
      'deleted@example.com has changed the address, undone that and a deletion, reset the password and deleted the account, for the mails about it.',
    );
    say('idle@example.com was warned twice and deleted, as after a year without a sign-in.');
  }
  say(
    made === 0
      ? 'Everyone was here already. Nothing has changed.'
      : `The password is “${PASSWORD}”. Sign in as each with one click: ${origin}/__local/people`,
  );
}

/**
 * Sends the mails that no user above gets, for the console's gallery. A user doesn't sign in for a year.
 * Another user connects and disconnects a provider, asks for an address that is taken, changes the address,
 * asks to be deleted, undoes both, resets the password and deletes the account, with two browsers. A user of
 * the provider asks for a new password, and for the end of the contract.
 */
async function sendOtherMails(client: LocalClient): Promise<void> {
  const [provider] = defaultProviders;
  const idle = { name: 'Ida Idle', email: 'idle@example.com', password: PASSWORD };
  const sub = await signUp(client, idle);
  await confirm(client, idle.email);
  // Two warnings and the deletion.
  for (let step = 0; step < 3; step += 1) await passIdleStep(client, sub);
  const person = { name: 'Delia Deleted', email: 'deleted@example.com', password: PASSWORD };
  const deleted = await signUp(client, person);
  await confirm(client, person.email);
  await remindOfEnd(client, deleted);
  await signInByProvider(client, provider, person);
  const disconnected = { provider, connected: false } as const;
  await client.call('change-provider', { token: await client.signIn(person), body: disconnected });
  for (let browser = 0; browser < 2; browser += 1) {
    await client.call('sessions', { token: await client.signIn(person), body: {} });
  }
  await changeAndUndoAddress(client, person, { taken: 'free@example.com', free: 'delia@example.com' });
  await resetPassword(client, person);
  await client.call('delete-account', { token: await client.signIn(person), body: {} });
  await sendPlanMails(client);
  await client.call('provider-reminder', { body: { email: `${provider}@example.com` } });
  await client.call('contract-mail', { body: { email: `${provider}@example.com` } });
}

/** A payment of the gallery's mails. */
const payment = (at: number, invoice: string, years: number) => ({
  plan: mainOffer.plan,
  at,
  invoice,
  amount: mainOffer.priceInCents,
  currency: mainOffer.currency,
  isFirst: false,
  years,
});

/**
 * Sends the mails about a plan that come only with time or with support's help: to a user with Plus, to one
 * with a complimentary plan, and to one on Free. The rest of what is seen comes from Stripe and from the row.
 */
async function sendPlanMails(client: LocalClient): Promise<void> {
  const ids = new Map((await client.accounts()).map(({ email, sub }) => [email, sub]));
  const mail = (email: string, told: BillingState, seen: BillingState): Promise<void> =>
    mailDifference(client, ids.get(email) ?? '', { told, seen });
  if (client.endpoints.stripe !== null) {
    const seconds = Math.floor((await client.now()).getTime() / 1000);
    const [paid, late] = [payment(seconds, 'in_1', 1), payment(seconds + 1, 'in_2', 1)];
    const refunded = { boughtAt: seconds, amount: paid.amount, currency: paid.currency };
    const first = { ...paid, at: seconds - 1, years: 0 };
    await mail('plus@example.com', { plan: 'plus', paid: first }, { plan: 'plus', paid, refunded });
    const newPrice = {
      id: 'price_of_next_year',
      amount: paid.amount + 100,
      currency: paid.currency,
      interval: mainOffer.interval,
      announcedAt: seconds,
      anchor: seconds,
    };
    await mail('plus@example.com', { plan: 'plus', paid, refunded }, { plan: 'plus', newPrice });
    const failed = { invoice: late.invoice, amount: late.amount, currency: late.currency };
    const now = { plan: 'plus', paid: late, refunded } as const;
    await mail('plus@example.com', { ...now, paid, failed }, now);
    await mail('plus@example.com', { ...now, ends: '2100-01-01T00:00:00.000Z' }, now);
  }
  const complimentary = { plan: 'plus', complimentary: true } as const;
  await mail('complimentary@example.com', { plan: 'free' }, complimentary);
  await mail('free@example.com', { plan: 'plus' }, { plan: 'free', ended: 'scheduled' });
}

/** Gives a user on Free a complimentary plan that ends in two days, of which a mail reminds. */
async function remindOfEnd(client: LocalClient, sub: string): Promise<void> {
  const ends = new Date((await client.now()).getTime() + 2 * 86_400_000).toISOString();
  await giveComplimentaryPlan(client, sub, ends);
  const told = { plan: 'plus', complimentary: true, ends } as const;
  await mailDifference(client, sub, { told, seen: told });
}
