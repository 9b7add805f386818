import { ButtonLink } from '../../components/button.tsx';

/** Links to other pages once nothing is left to do here. */
export const NextSteps = () => (
  <>
    <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
    <ButtonLink to="/pricing" tone="secondary">
      Return to Pricing
    </ButtonLink>
  </>
);
