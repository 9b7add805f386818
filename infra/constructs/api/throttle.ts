import type { Endpoint } from '../../../schemas/routes/endpoint.ts';

/** For routes that anyone may call, far above honest use: the firewall gives an IP address a hundredth. */
const OPEN = { rate: 50, burst: 100 };

/** A route's throttle. Undefined for users with a session, Stripe and Cognito: they have the stage's. */
export const throttleOf = ({ caller, throttle }: Endpoint): Endpoint['throttle'] =>
  throttle ?? (['anyone', 'app', 'browser'].includes(caller) ? OPEN : undefined);
