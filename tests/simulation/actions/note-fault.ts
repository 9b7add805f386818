import type { BillingMails } from '../../../functions/adapters/dynamodb/user-plans/billing-mails.ts';
import type { Actor } from '../faults/actor.ts';
import type { World } from '../world/world.ts';

/** Notes a fault after which nobody can know whether a mail was sent. */
export function noteFault(world: World, { injected }: Actor): void {
  if (!injected) return;
  const { dependency, name, fault } = injected;
  const isUnnoted =
    name === ('store' satisfies keyof BillingMails) && fault !== 'is repeated' && fault !== 'crashes after';
  // A claim is made before a mail, so its lost answer leaves in doubt whether the mail was sent.
  const isClaimed =
    name === ('claim' satisfies keyof BillingMails) && (fault === 'fails after' || fault === 'crashes after');
  if (isClaimed || dependency === 'mail' || isUnnoted) world.mayBeSentTwice += 1;
}
