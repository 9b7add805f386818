/**
 * The versions of the legal texts in `web/content/legal`, and the days they take effect. Accounts and
 * subscriptions keep the versions they accepted, so a text that users have accepted changes only with its
 * version: the test of this file knows each version's text.
 */
export const legalVersions = {
  terms: { version: '1.0', effective: '2025-07-01' },
  privacy: { version: '1.0', effective: '2025-07-01' },
} as const;
