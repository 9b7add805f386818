import * as z from 'zod/mini';

/** Sign-in and sign-out clear the storage around them; what begins with `relay.` outlives that on the relay's own pages. */
const KEY = 'relay.flow';

/** A sign-in that is on its way, until the provider sends the person back to this tab. */
const Flow = z.object({
  provider: z.enum(['google', 'github']),
  /** The app's address, and the text it wants back; null where it gave none. */
  redirectUri: z.string(),
  appState: z.nullable(z.string()),
  /** Ours: ties the answer to this tab, the tokens to this flow, and the code to whoever began. */
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Whether it is the second try of the same sign-in. */
  again: z.boolean(),
});
export type Flow = z.infer<typeof Flow>;

export const keepFlow = (storage: Pick<Storage, 'setItem'>, flow: Flow): void =>
  storage.setItem(KEY, JSON.stringify(flow));

/** The flow of this tab, once: whatever comes of it, no second answer finds it. Null where there is none. */
export function takeFlow(storage: Pick<Storage, 'getItem' | 'removeItem'>): Flow | null {
  const kept = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (kept === null) return null;
  try {
    return Flow.parse(JSON.parse(kept));
  } catch {
    return null;
  }
}
