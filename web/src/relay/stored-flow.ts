import * as z from 'zod/mini';
import { providerKeys } from '../../../schemas/product/providers.ts';
import { FlowSecrets } from '../oauth/code-flow.ts';
import { CodeRequest } from './app-request.ts';

// Sign-in and sign-out clear the storage. Keys that begin with `relay.` are kept on the relay's own pages.
const KEY = 'relay.flow';

const Flow = z.object({
  provider: z.enum(providerKeys),
  /** The app's address and the `state` that the app expects back; null if the app sent none. */
  redirectUri: z.string(),
  appState: z.nullable(z.string()),
  /** Whether this is a retry of the same sign-in. */
  again: z.boolean(),
  /** Ties the answer to the tab. */
  state: z.string(),
});

/** A sign-in for a code. The app has the verifier, and this tab no secret. */
const RelayCodeFlow = z.extend(Flow, { codeRequest: CodeRequest });
export type RelayCodeFlow = z.infer<typeof RelayCodeFlow>;

/** A sign-in for tokens, which this tab gets and passes on. */
const RelayTokenFlow = z.extend(Flow, FlowSecrets.shape);
export type RelayTokenFlow = z.infer<typeof RelayTokenFlow>;

/** A sign-in for an app, stored in the tab until Cognito redirects back. */
const RelayFlow = z.union([RelayCodeFlow, RelayTokenFlow]);
export type RelayFlow = z.infer<typeof RelayFlow>;

export const storeFlow = (storage: Pick<Storage, 'setItem'>, flow: RelayFlow): void =>
  storage.setItem(KEY, JSON.stringify(flow));

/** Reads and removes the tab's flow, so that only one answer is accepted. Null if there is none. */
export function takeFlow(storage: Pick<Storage, 'getItem' | 'removeItem'>): RelayFlow | null {
  const stored = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (stored === null) return null;
  try {
    return RelayFlow.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}
