import * as z from 'zod/mini';
import { StripeRefusal } from '../vendors/stripe/errors.ts';
import type { StripeService } from '../vendors/stripe/service.ts';
import { type ConsoleAnswer, json, refused } from './answer.ts';
import { objectIn } from './json-object.ts';

const Change = z.strictObject({
  coupon: z.optional(z.nullable(z.string())),
  finalizes: z.optional(z.boolean()),
});

/** Sends an event again, or does what a person does in Stripe's dashboard. Undefined for another path. */
export async function actOnStripe(
  [, kind, id = '', action]: readonly string[],
  text: string,
  service: StripeService,
): Promise<ConsoleAnswer | undefined> {
  if (kind === 'events' && action === 'resend') {
    return (await service.resend(id)) ? json({ sent: true }) : refused(404, `There is no event ${id}.`);
  }
  if (kind !== 'customers' || action !== undefined) return undefined;
  const change = Change.safeParse(objectIn(text));
  if (!change.success) return refused(400, 'Send {"coupon": "…"} or {"finalizes": false}.');
  try {
    service.changeCustomer(id, change.data);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return refused(error.status, error.message);
  }
  return json({ changed: true });
}
