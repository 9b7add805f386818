import { providers } from '../../../../../schemas/product/providers.ts';
import type { User } from '../../../session/session.ts';

export const providerName = ({ provider }: User): string =>
  provider === null ? 'your provider' : providers[provider].name;
