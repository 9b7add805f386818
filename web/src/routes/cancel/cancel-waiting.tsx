import { MessageWaiting } from '../../components/message-waiting.tsx';

export default function CancelWaiting() {
  return <MessageWaiting lead="Looking up your plan">Loading</MessageWaiting>;
}
