import { LocalClient } from './client.ts';
import { PASSWORD, people } from './people.ts';

/** Creates the users that don't exist yet at `origin`, each in its state, by real users' steps over HTTP. */
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
  say(
    made === 0
      ? 'Everyone was here already. Nothing has changed.'
      : `The password is “${PASSWORD}”. Sign in as each with one click: ${origin}/__local/people`,
  );
}
