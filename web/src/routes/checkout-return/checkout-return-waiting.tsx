import { MessageWaiting } from '../../components/message-waiting.tsx';

export default function CheckoutReturnWaiting() {
  return <MessageWaiting>Loading</MessageWaiting>;
}
