import type { Provider } from '../../../../schemas/product/providers.ts';
import { Message } from '../message.tsx';

/** Explains why a provider is about to ask the user a second time. Public pages load this code. */
export function LinkedAccount({ provider }: { provider: Provider }) {
  return (
    <Message title={`${provider} now opens your account`} takesFocus>
      <p>{provider} asks you once more, and then you are signed in.</p>
    </Message>
  );
}
