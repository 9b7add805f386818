import type { User } from '../../session/session.ts';

/** How to name the provider of an account without a password. */
export const providerName = ({ provider }: User): string => provider ?? 'your provider';
