import { namesOf, type ProviderKey } from '../../schemas/product/providers.ts';

/** Says which providers no longer open an account whose mailbox has decided. Nothing if all stay. */
export const waysInSentences = (removed: readonly ProviderKey[]): string[] =>
  removed.length === 0
    ? []
    : [
        `You can no longer sign in with ${namesOf(removed)}, because it has another email address than your account. Every other way to sign in stays.`,
      ];
