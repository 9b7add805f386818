import { useLocation } from 'react-router-dom';
import * as z from 'zod/mini';
import { useHydrated } from '../start/hydrated.ts';

/*
 * What the account pages hand on to each other in the router's state. The browser keeps it with the history
 * entry, so it survives a reload.
 */

/** To the sign-in page: the address that was just confirmed. */
export const ConfirmedAddress = z.object({ confirmed: z.string() });

/** To any form: the address that the user has typed. */
export const TypedAddress = z.object({ email: z.string() });

/** To the sign-up page: its account was never confirmed, and is removed. */
export const RemovedAccount = z.object({ email: z.string(), removed: z.literal(true) });

/** To the confirmation page: what the page before it has done. */
export const PendingConfirmation = z.object({
  /** The id of the account that was signed up in this tab. */
  userId: z.optional(z.string()),
  /** Whether a new code was sent at the sign-in, or the sentence why not. */
  newCode: z.optional(z.union([z.literal(true), z.string()])),
});
export type PendingConfirmation = z.infer<typeof PendingConfirmation>;

/** To the reset page, from itself: the link that it has taken out of the address bar. */
export const HeldResetLink = z.object({
  resetLink: z.object({ code: z.string(), userName: z.string() }),
});
export type HeldResetLink = z.infer<typeof HeldResetLink>;

interface WritableHistory {
  state: unknown;
  replaceState: (state: unknown, unused: string) => void;
}

/** A tab's address and history. */
export interface Tab {
  location: { pathname: string };
  history: WritableHistory;
}

/**
 * Removes the state from the history entry, if the user is still at `path`: other entries can't be reached.
 * The router's own copy stays until it navigates.
 */
export function forgetRouterState(path: string, { location, history }: Tab): void {
  if (location.pathname !== path) return;
  const { usr: _, ...state } = (history.state ?? {}) as { usr?: unknown };
  history.replaceState(state, '');
}

/** The router's state, if it has this shape. Undefined before hydration: the built HTML knows no state. */
export function useRouterState<S extends z.ZodMiniType>(schema: S): z.output<S> | undefined {
  const { state } = useLocation() as { state: unknown };
  const hydrated = useHydrated();
  if (!hydrated) return undefined;
  return z.safeParse(schema, state).data;
}
