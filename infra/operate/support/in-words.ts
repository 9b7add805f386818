import { isPaid, plans } from '../../../schemas/product/offers.ts';
import { momentInWords } from '../../../functions/emails/moment.ts';
import type { PlanFields } from '../../../functions/domain/plan.ts';
import type { SupportedAccount } from './accounts.ts';

/** `January 31, 2030 at 23:59 UTC`. */
export const moment = (iso: string): string => momentInWords(new Date(iso));
export const momentOfUnix = (seconds: number): string => momentInWords(new Date(seconds * 1000));

/** `Plus until January 31, 2030 at 23:59 UTC`. */
export function planInWords({
  plan,
  plan_expires_at: end,
  stripe_customer_id: customer,
}: PlanFields): string {
  const { name } = plans[plan];
  if (!isPaid(plan)) return name;
  const kind = customer === undefined ? `${name} without payment` : name;
  return end === undefined ? `${kind}, without an end` : `${kind} until ${moment(end)}`;
}

/** `ada@example.com (sub 1234)`. */
export const nameOf = ({ email, sub }: SupportedAccount): string => `${email} (sub ${sub})`;
