import { Message } from '../components/message.tsx';
import { Notice } from '../components/notice.tsx';

/** What the relay's pages show while they load and while they work. */
export function SigningIn() {
  return (
    <Message title="Signing you in">
      <Notice>One moment...</Notice>
    </Message>
  );
}
