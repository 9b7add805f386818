import { Message } from '../components/message.tsx';
import { Notice } from '../components/notice.tsx';

/** Shown on the relay's pages while they load and work. */
export function SigningIn() {
  return (
    <Message title="Signing you in">
      <Notice>One moment...</Notice>
    </Message>
  );
}
