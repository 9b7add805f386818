import { siteConfig } from '../pages/site-config.ts';
import { tabStorage } from '../session/browser-storage.ts';
import type { Registered } from './app-request.ts';
import { type Callback, callbackOf, outcomeOf } from './callback.ts';
import { failed, failedOnPage, type Outcome, STORAGE_NEEDED, UNFINISHED } from './outcome.ts';
import { beginFlow, completeFlow, type RelaySignIn, type RelaySite } from './relay-client.ts';
import { startRequestOf } from './start-request.ts';
import { storeFlow, takeFlow } from './stored-flow.ts';

/*
 * The part of the relay that touches the browser. The relay neither reads nor changes the site's own session.
 */

const relaySite = async (): Promise<RelaySite> => ({
  config: await siteConfig(),
  site: location.origin,
  shortCode: async (code, { redirectUri: redirect_uri, challenge: code_challenge }) => {
    const { callAnonymously } = await import('../api/call-anonymously.ts');
    return callAnonymously('relay-code', { body: { code, redirect_uri, code_challenge } });
  },
});

const NONE: Registered = { relayAddresses: [], legacyAddresses: [] };

/** Stores a flow in this tab, and resolves with the address at which the user signs in. */
export async function beginSignIn(signIn: RelaySignIn): Promise<string> {
  const { flow, address } = await beginFlow(signIn, await relaySite());
  storeFlow(sessionStorage, flow);
  return address;
}

/** Reads the address of the callback page, and removes the tab's flow: a second call finds none. */
export function takeCallback(): Callback {
  const storage = tabStorage();
  return callbackOf(new URLSearchParams(location.search), storage && takeFlow(storage));
}

/** Whether this browser lets the site store a flow. */
export const canStoreFlow = (): boolean => tabStorage() !== null;

export const finishSignIn = (callback: Callback): Promise<Outcome> =>
  unlessItThrows(async () => {
    // Without an address, the user is sent to sign in, which needs no configuration.
    const registered = callback.request.redirectUri === null ? NONE : await siteConfig();
    return outcomeOf(callback, registered, {
      complete: async (query, flow) => completeFlow(query, flow, await relaySite()),
      retry: (flow) => beginSignIn({ ...flow, isRetry: true }),
    });
  });

export const startSignIn = (): Promise<Outcome> =>
  unlessItThrows(async () => {
    const config = await siteConfig();
    const request = startRequestOf(new URLSearchParams(location.search), config, config.providers);
    if (request.kind === 'refused') return request.outcome;
    const { signIn } = request;
    if (!canStoreFlow()) {
      return failed(STORAGE_NEEDED, { ...signIn, state: signIn.appState }, config.relayAddresses);
    }
    return { kind: 'provider', to: await beginSignIn(signIn) };
  });

/** Handles errors of `work`. Without the list of registered addresses, no address counts as registered. */
async function unlessItThrows(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch {
    return failedOnPage(UNFINISHED);
  }
}
