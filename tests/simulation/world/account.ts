import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { newSubscriber, type Subscriber } from '../model/subscriber.ts';

export interface Account {
  id: string;
  email: string;
  /** Unix seconds. */
  signedInAt: number;
  model: Subscriber;
  /** The user asked to delete the account, successfully or not. */
  deletionRequested: boolean;
  /** The number of Stripe events about this account. */
  eventCount: number;
  /** The `eventCount` at the Stripe read that the newest plan decision is based on. */
  eventsAtDecision: number;
  /** The row's version after the last step. */
  rowVersion: number;
  /** The row's plan before the current step. */
  planBefore: UserPlan['plan'];
  /** At some moment of the current step the user was entitled to Plus. */
  wasEntitled: boolean;
  /** For how many milliseconds the user has paid for Plus and is on Free. */
  lockedOutFor: number;
  /** For how many milliseconds the user is on Plus without a payment. */
  unpaidFor: number;
}

export const newAccount = (id: string, email: string, signedInAt: number): Account => ({
  id,
  email,
  signedInAt,
  model: newSubscriber,
  deletionRequested: false,
  eventCount: 0,
  eventsAtDecision: 0,
  rowVersion: 0,
  planBefore: 'free',
  wasEntitled: false,
  lockedOutFor: 0,
  unpaidFor: 0,
});
