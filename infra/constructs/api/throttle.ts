import type { Endpoint } from '../../../schemas/routes/endpoint.ts';

/** For routes that anyone may call, far above honest use: the firewall gives an IP address a hundredth. */
const OPEN = { rate: 50, burst: 100 };
const byCaller: Partial<Record<Endpoint['caller'], typeof OPEN>> = { anyone: OPEN, app: OPEN, browser: OPEN };

/** A route's throttle. Undefined for users with a session, Stripe and Cognito: they have the stage's. */
export const throttleOf = ({ caller, throttle }: Endpoint) => throttle ?? byCaller[caller];
