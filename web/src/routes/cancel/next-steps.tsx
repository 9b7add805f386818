import { ButtonLink } from '../../components/button.tsx';

/** Where to go once there is nothing more to do here. */
export const NextSteps = () => (
  <>
    <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
    <ButtonLink to="/pricing" tone="secondary">
      Return to Pricing
    </ButtonLink>
  </>
);
