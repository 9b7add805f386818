/**
 * The versions of the texts in `web/content/legal`. Accounts and subscriptions keep those they accepted, so
 * an accepted text changes only with its version: the test of this file knows each version's text.
 */
export const legalVersions = {
  terms: { version: '1.0', effective: '2025-07-01' },
  privacy: { version: '1.0', effective: '2025-07-01' },
} as const;
