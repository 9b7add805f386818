import { SigningIn } from '../../relay/signing-in.tsx';

export default SigningIn;
