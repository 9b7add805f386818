import { tabStore } from '../session/browser-storage.ts';
import { siteConfig } from '../app/site-config.ts';
import { type Arrival, arrivalOf, outcomeOf } from './arrival.ts';
import { departureOf } from './departure.ts';
import { keepFlow, takeFlow } from './flow.ts';
import { answerTo, type Beginning, beginning, type SignInAt } from './provider-sign-in.ts';
import { failed, goesNowhere, type Outcome, STORAGE_NEEDED, UNFINISHED } from './way-out.ts';

/** The rest of the relay knows no browser; here is what it touches of it. The site's own session is none of it. */
const signInAt = async (): Promise<SignInAt> => ({ config: await siteConfig(), site: location.origin });

/** Keeps a flow in this tab, and gives the address at which it begins. */
export async function begin(what: Beginning): Promise<string> {
  const { flow, address } = await beginning(what, await signInAt());
  keepFlow(sessionStorage, flow);
  return address;
}

/** Takes the tab's flow: who asks a second time finds none. */
export function arrive(): Arrival {
  const tab = tabStore();
  return arrivalOf(new URLSearchParams(location.search), tab && takeFlow(tab));
}

/** Whether this browser lets the site keep a flow. */
export const canKeepFlow = (): boolean => tabStore() !== null;

export const finish = (arrival: Arrival): Promise<Outcome> =>
  orNowhere(async () => {
    // Whoever names no address is sent to sign in, and for that nothing has to be known.
    if (arrival.request.redirectUri === null) return outcomeOf(arrival, [], exchange);
    return outcomeOf(arrival, (await siteConfig()).relayAddresses, exchange);
  });

export const start = (): Promise<Outcome> =>
  orNowhere(async () => {
    const { relayAddresses } = await siteConfig();
    const departure = departureOf(new URLSearchParams(location.search), relayAddresses);
    if (departure.kind === 'refused') return departure.outcome;
    const { beginning: asked } = departure;
    if (!canKeepFlow()) {
      return failed(STORAGE_NEEDED, { ...asked, state: asked.appState }, relayAddresses);
    }
    return { kind: 'onward', to: await begin(asked) };
  });

const exchange: Parameters<typeof outcomeOf>[2] = {
  answerTo: async (query, flow) => answerTo(query, flow, await signInAt()),
  again: (flow) => begin({ ...flow, again: true }),
};

/** Where the list of addresses can't be had, no address is on it. */
async function orNowhere(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch {
    return goesNowhere(UNFINISHED);
  }
}
