import type { Provider } from '../../../../schemas/providers.ts';
import { Message } from '../message.tsx';
import { Notice } from '../notice.tsx';

/** Says why a provider is about to ask the user a second time. */
export function LinkedAccount({ provider }: { provider: Provider }) {
  return (
    <Message title={`${provider} now opens your account`} takesFocus>
      <Notice>{provider} asks you once more, and then you are signed in.</Notice>
    </Message>
  );
}
