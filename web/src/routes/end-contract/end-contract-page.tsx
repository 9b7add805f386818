import { Link, useNavigate } from 'react-router-dom';
import { paidNames } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import { AskForLink } from '../../components/account/ask-for-link.tsx';
import { useTokenInHash } from '../../navigation/use-link-token.ts';
import { Contract } from './contract.tsx';

const footer = () => (
  <p>
    Signed in? <Link to="/cancel">Cancel right away</Link>
  </p>
);

/** Ends a contract without a sign-in. */
export default function EndContractPage() {
  const token = useTokenInHash();
  const navigate = useNavigate();
  const askAgain = () => void navigate('/end-contract', { replace: true });
  if (token) return <Contract key={token} token={token} onAskAgain={askAgain} />;
  return (
    <AskForLink
      purpose="end-contract"
      title="End your contract"
      lead={`You don't need to sign in to cancel ${product.name} ${paidNames}. Type the email address of your account, and we'll send you a link.`}
      link="end its contract"
      footer={footer}
    />
  );
}
