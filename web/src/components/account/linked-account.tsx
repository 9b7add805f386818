import { type ProviderKey, providers } from '../../../../schemas/product/providers.ts';
import { Message } from '../message.tsx';

/** Explains why a provider is about to ask the user a second time. Public pages load this code. */
export function LinkedAccount({ provider }: { provider: ProviderKey }) {
  const { name } = providers[provider];
  return (
    <Message title={`${name} now opens your account`} takesFocus>
      <p>{name} asks you once more, and then you are signed in.</p>
    </Message>
  );
}
