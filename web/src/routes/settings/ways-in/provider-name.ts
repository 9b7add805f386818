import { providers } from '../../../../../schemas/product/providers.ts';
import type { User } from '../../../session/session.ts';

/** The name of the provider of an account without a password. */
export const providerName = ({ provider }: User): string =>
  provider === null ? 'your provider' : providers[provider].name;
