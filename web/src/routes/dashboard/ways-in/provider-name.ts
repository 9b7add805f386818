import type { User } from '../../../session/session.ts';

/** The name of the provider of an account without a password. */
export const providerName = ({ provider }: User): string => provider ?? 'your provider';
