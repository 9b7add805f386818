import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';

export default function NotFoundPage() {
  return (
    <Message title="Page not found" actions={<ButtonLink to="/">Back to Home</ButtonLink>}>
      <p>There is no page at this address. It may have moved, or the address may have a typo in it.</p>
    </Message>
  );
}
