import { MessageWaiting } from '../../components/message-waiting.tsx';

export default function CancelWaiting() {
  return <MessageWaiting>Loading</MessageWaiting>;
}
