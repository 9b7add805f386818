import { type ProviderKey, providerKeys } from '../../../schemas/product/providers.ts';
import { keepText, keptText } from './kept-text.ts';

export type WayIn = ProviderKey | 'password';

/**
 * Key in the tab's storage: the way in that the browser knew before the tab signed in with a provider, which
 * may have made a new account.
 */
export const KNOWN_WAY_IN = 'known-way-in';

const KEY = 'way-in';

/** The way in that this browser used last. It names no account. Undefined if there was none. */
export async function lastWayIn(): Promise<WayIn | undefined> {
  const kept = await keptText(KEY);
  return ([...providerKeys, 'password'] as const).find((way) => way === kept);
}

/** Whether somebody has signed in with this browser. */
export const knowsWayIn = async (): Promise<boolean> => (await keptText(KEY)) !== undefined;

export const keepWayIn = (way: WayIn): Promise<void> => keepText(KEY, way);
