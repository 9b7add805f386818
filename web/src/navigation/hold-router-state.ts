import * as z from 'zod/mini';
import type { Tab } from './use-router-state.ts';

/* Router state that a page passes to itself across a reload. The sign-in page doesn't need this file. */

/** State of the dashboard, from itself: a new card was accepted, and for which payment, once that is read. */
export const CardTaken = z.object({ cardTaken: z.union([z.literal(true), z.string()]) });
export type CardTaken = z.infer<typeof CardTaken>;

/** State of the cancel page, from itself: Plus ended with the cancellation. */
export const EndedPlan = z.object({ endedPlan: z.object({ name: z.string(), wasDue: z.boolean() }) });
export type EndedPlan = z.infer<typeof EndedPlan>;

/** Puts the state into the history entry, if the user is still at `path`, without moving the focus. */
export function holdRouterState(path: string, usr: unknown, { location, history }: Tab): void {
  if (location.pathname !== path) return;
  history.replaceState({ ...(history.state as object | null), usr }, '');
}
