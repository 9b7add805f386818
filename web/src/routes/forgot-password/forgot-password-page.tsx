import { OFFERED_NAMES } from '../../account/offered-providers.ts';
import { AskForLink } from '../../components/account/ask-for-link.tsx';
import { Way } from '../../components/account/way.tsx';

const footer = (email: string) => (
  <p>
    <Way to="/login" email={email}>
      Back to Sign In
    </Way>
  </p>
);

export default function ForgotPasswordPage() {
  return (
    <AskForLink
      purpose="reset"
      title="Forgot your password?"
      lead="Type the email address of your account, and we'll send you a link to choose a new one."
      link="choose a new password"
      footer={footer}
    >
      <p>If you sign in with {OFFERED_NAMES} and have no password, the email says so instead.</p>
    </AskForLink>
  );
}
