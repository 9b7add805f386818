import type { Endpoint } from './routes/endpoint.ts';
import { endpoint as addressChange } from './routes/address-change.ts';
import { endpoint as billing } from './routes/billing.ts';
import { endpoint as billingPortal } from './routes/billing-portal.ts';
import { endpoint as cancelSubscription } from './routes/cancel-subscription.ts';
import { endpoint as changeEmail } from './routes/change-email.ts';
import { endpoint as changePassword } from './routes/change-password.ts';
import { endpoint as changeProvider } from './routes/change-provider.ts';
import { endpoint as confirmSignUp } from './routes/confirm-sign-up.ts';
import { endpoint as createCheckoutSession } from './routes/create-checkout-session.ts';
import { endpoint as deleteAccount } from './routes/delete-account.ts';
import { endpoint as endContract } from './routes/end-contract.ts';
import { endpoint as endSession } from './routes/end-session.ts';
import { endpoint as exportAccount } from './routes/export.ts';
import { endpoint as mailLink } from './routes/mail-link.ts';
import { endpoint as plan } from './routes/plan.ts';
import { endpoint as relayCode } from './routes/relay-code.ts';
import { endpoint as renewSubscription } from './routes/renew-subscription.ts';
import { endpoint as resetPassword } from './routes/reset-password.ts';
import { endpoint as sessionStatus } from './routes/session-status.ts';
import { endpoint as sessions } from './routes/sessions.ts';
import { endpoint as waitlist } from './routes/waitlist.ts';

/** The routes that the site calls, by the name of their file. They are part of every page's script. */
export const siteApi = {
  plan,
  'create-checkout-session': createCheckoutSession,
  'session-status': sessionStatus,
  'cancel-subscription': cancelSubscription,
  'renew-subscription': renewSubscription,
  billing,
  'billing-portal': billingPortal,
  'change-password': changePassword,
  'change-email': changeEmail,
  'address-change': addressChange,
  'confirm-sign-up': confirmSignUp,
  'mail-link': mailLink,
  'reset-password': resetPassword,
  'end-contract': endContract,
  sessions,
  'end-session': endSession,
  'change-provider': changeProvider,
  export: exportAccount,
  'delete-account': deleteAccount,
  waitlist,
  'relay-code': relayCode,
} as const satisfies Record<string, Endpoint>;
