import { PaymentWaiting } from '../../components/payment/payment-waiting.tsx';

export default PaymentWaiting;
