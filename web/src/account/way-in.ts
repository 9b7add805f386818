import { type ProviderKey, providerKeys } from '../../../schemas/product/providers.ts';

/** A way to sign in. */
export type WayIn = ProviderKey | 'password';

/*
 * The way in that this browser used last. It stands in the cache storage, since a browser without a session
 * clears the others. It names no account, and no request sends it.
 */

/**
 * Key in the tab's storage: the way in that the browser knew before the tab signed in with a provider, which
 * may have made a new account.
 */
export const KNOWN_WAY_IN = 'known-way-in';

const CACHE = 'way-in';
const KEY = '/way-in';

/** Undefined if there was none, or if the browser forbids the storage. */
export async function lastWayIn(): Promise<WayIn | undefined> {
  try {
    const kept = await (await caches.match(KEY))?.text();
    return ([...providerKeys, 'password'] as const).find((way) => way === kept);
  } catch {
    return undefined;
  }
}

export async function keepWayIn(way: WayIn): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(KEY, new Response(way));
  } catch {
    // The sign-in page marks nothing then.
  }
}
