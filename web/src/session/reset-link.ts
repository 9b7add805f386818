import * as z from 'zod/mini';

/** To the reset page, from itself: the link that it has taken out of the address bar, while it is valid. */
export const HeldReset = z.object({
  resetLink: z.union([z.object({ code: z.string(), userName: z.string() }), z.literal('invalid')]),
});
type HeldReset = z.infer<typeof HeldReset>;

/**
 * `none`: the page was opened without a link, to type a code. `invalid`: the link lacks a part, or was used
 * up.
 */
export type ResetLink = HeldReset['resetLink'] | 'none';

/**
 * The link's parts from its query: `access_token` is a one-time code, `refresh_token` an opaque user name.
 * `held`: what the history entry keeps, once the query is out of the address bar.
 */
export function resetLinkOf(query: URLSearchParams, held: HeldReset['resetLink'] | undefined): ResetLink {
  if (query.size === 0) return held ?? 'none';
  const code = query.get('access_token');
  const userName = query.get('refresh_token');
  return code && userName ? { code, userName } : 'invalid';
}
