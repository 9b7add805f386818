import { Link } from 'react-router-dom';
import { OFFERED_NAMES } from '../../account/offered-providers.ts';
import { AskForLink } from '../../components/account/ask-for-link.tsx';
import { useCameFrom } from '../../navigation/use-came-from.ts';

export default function ForgotPasswordPage() {
  const cameFrom = useCameFrom();
  return (
    <AskForLink
      purpose="reset"
      title="Forgot your password?"
      lead="Type the email address of your account, and we'll send you a link to choose a new one."
      link="choose a new password"
      footer={
        <p>
          <Link to="/login" state={cameFrom}>
            Back to Sign In
          </Link>
        </p>
      }
    >
      <p>If you sign in with {OFFERED_NAMES} and have no password, the email says so instead.</p>
    </AskForLink>
  );
}
