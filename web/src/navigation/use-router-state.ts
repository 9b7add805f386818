import { useLocation } from 'react-router-dom';
import * as z from 'zod/mini';
import { useHydrated } from './hydrated.ts';

/*
 * The router state that the account pages pass to each other. The browser keeps the state with the history
 * entry, so it survives a reload.
 */

/** State of the confirmation page, from the page before. */
export const PendingConfirmation = z.object({
  /** The id of the account that signed up in this tab. */
  userId: z.optional(z.string()),
  /** Whether a new code was sent at the sign-in, or the sentence that says why not. */
  newCode: z.optional(z.union([z.literal(true), z.string()])),
});
export type PendingConfirmation = z.infer<typeof PendingConfirmation>;

/** State of a page that a mail's link opens, from itself: the token that it removed from the address bar. */
export const LinkToken = z.object({ token: z.string() });

/** The part of `window` that is used. */
interface Tab {
  location: { pathname: string };
  history: { state: unknown; replaceState: (state: unknown, unused: string) => void };
}

/** Removes the state from the history entry, if the user is still at `path`. The router's copy stays. */
export function forgetRouterState(path: string, { location, history }: Tab): void {
  if (location.pathname !== path) return;
  const { usr: _, ...state } = (history.state ?? {}) as { usr?: unknown };
  history.replaceState(state, '');
}

/** Puts the state into the history entry, if the user is still at `path`, without moving the focus. */
export function holdRouterState(path: string, usr: unknown, { location, history }: Tab): void {
  if (location.pathname !== path) return;
  history.replaceState({ ...(history.state as object | null), usr }, '');
}

/** The router's state, if it has this shape. Undefined before hydration: the built HTML has no state. */
export function useRouterState<S extends z.ZodMiniType>(schema: S): z.output<S> | undefined {
  const { state } = useLocation() as { state: unknown };
  const hydrated = useHydrated();
  if (!hydrated) return undefined;
  return z.safeParse(schema, state).data;
}
