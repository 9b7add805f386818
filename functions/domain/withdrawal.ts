import { withdrawal } from '../../schemas/product/product.ts';
import { isEntitling, type Subscription } from './subscription.ts';

const DAY = 86_400;

/** Unix seconds. The day of the purchase doesn't count (Regulation 1182/71, article 3). */
export const withdrawableUntil = ({ createdAt }: Pick<Subscription, 'createdAt'>): number =>
  createdAt + (withdrawal.days + 1) * DAY;

/** Whether the user may withdraw from the subscription. Support decides about what support made in Stripe. */
export const mayWithdraw = (subscription: Subscription, userId: string, now: Date): boolean =>
  isEntitling(subscription) &&
  subscription.userId === userId &&
  now.getTime() < withdrawableUntil(subscription) * 1000;
