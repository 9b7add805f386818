import type { PreSignUpTriggerEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { refusals } from '../../schemas/refusal.ts';
import { asksAgain, triggerRefusals } from '../../schemas/trigger-refusals.ts';
import { notify } from '../notices/notify.ts';
import { recoveryLink } from '../notices/reset-link.ts';
import { type MailRefusal, refusalToMail } from '../accounts/refusal-to-mail.ts';
import { accountsWith, claimAddress, removeUnconfirmed } from '../accounts/address-ownership.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { addressChanges, addresses, limits } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { type AccountPool, cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import {
  type Account,
  hasPassword,
  holdsAddress,
  isLinkable,
  isLinked,
  isOf,
  isUnconfirmed,
  readProviderProfile,
} from '../domain/account-linking.ts';
import { isDisconnected, providerLinked } from '../domain/address-change.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { providerLinkedEmail } from '../emails/provider-linked.ts';
import { log } from '../runtime/log.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

/** A refusal. Cognito shows the user the message that a trigger throws. */
class SignUpRefused extends Error {}

const adapters = {
  users: () => cognitoAccountPool,
  addresses,
  addressChanges,
  limits,
  ...linkAdapters,
  /** Whether the pool sends through SES. If not, SES's suppression list says nothing about an address. */
  sendsThroughSes: (of: { SENDS_THROUGH_SES: string }) => of.SENDS_THROUGH_SES === 'true',
};
type Dependencies = Made<typeof adapters>;

type Accounts = Pick<Dependencies, 'addresses' | 'addressChanges'> & { pool: AccountPool };

/**
 * Cognito's pre-sign-up trigger. Deletes an account that has the address and was never confirmed.
 *
 * - A sign-up with a password is refused for the address of a provider's account, for an address that SES
 *   suppresses, and after the day's mails to the address.
 * - A provider's profile is linked to the account with the same verified address, whose owner gets a mail the
 *   first time, with a link that disconnects it. Without such an account the user gets a provider's account.
 *
 * Cognito may call the trigger several times for one sign-up.
 */
export const handlePreSignUp =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> => {
    const { triggerSource } = event;
    const { mail } = dependencies;
    try {
      const accounts = { ...dependencies, pool: dependencies.users(event.userPoolId) };
      switch (triggerSource) {
        case 'PreSignUp_SignUp':
          await checkPasswordSignUp(accounts, event, (email) => {
            const asked = dependencies.sendsThroughSes ? mail : undefined;
            const again = asksAgain(event.request.clientMetadata);
            const counted = { purpose: 'sign-up', of: email, again } as const;
            return refusalToMail({ limits: dependencies.limits, mail: asked }, counted, clock());
          });
          break;
        case 'PreSignUp_ExternalProvider': {
          const linked = await linkProfile(accounts, event, clock());
          if (!linked) break;
          const { account, identity } = linked;
          const { provider } = identity;
          log.info('account-linked', { account: account.username, provider });
          const about = { provider, at: clock(), hasPassword: hasPassword(account) };
          const owner = { ...account, ...about, disconnects: identity };
          const url = await recoveryLink(dependencies, owner, about.at);
          await notify(mail, account.email, providerLinkedEmail({ ...about, url }));
          break;
        }
        case 'PreSignUp_AdminCreateUser':
          // Administrators may create any account.
          break;
      }
      return event;
    } catch (error) {
      // The alarm on this function subtracts refusals from its errors.
      if (error instanceof SignUpRefused) {
        log.info('sign-up-refused', { triggerSource, sentence: error.message });
        throw error;
      }
      log.error('sign-up-failed', { triggerSource }, error);
      throw new Error(refusals.internal.sentence, { cause: error });
    }
  };

/**
 * Cognito itself refuses the address of a confirmed account with a password. An unconfirmed account is
 * deleted: its password may be a stranger's. AWS doesn't document whether Cognito calls this trigger before
 * it refuses. If it doesn't, the page asks for another mail, whose reader chooses the password.
 */
async function checkPasswordSignUp(
  accounts: Accounts,
  { request }: PreSignUpTriggerEvent,
  refusalOf: (email: string) => Promise<MailRefusal | undefined>,
): Promise<void> {
  const email = request.userAttributes['email'];
  // Cognito fills it in from the user name. With quotes, comments or escapes, which pages refuse too, one
  // mailbox would have any number of addresses, whose mails are counted apart.
  if (!email || !z.regexes.html5Email.test(email)) throw new SignUpRefused(triggerRefusals.addressInvalid);
  const { named, owner } = await accountsWith(accounts, email);
  if (owner) throw new SignUpRefused(triggerRefusals.addressTaken);
  // Cognito refuses it and mails nobody. Counted, ten such sign-ups would silently use up the owner's resets.
  if (named && holdsAddress(named, email)) return;
  const refused = await refusalOf(email);
  // An earlier sign-up stays: its newest mail still works.
  if (refused) throw new SignUpRefused(triggerRefusals[refused]);
  if (named && isUnconfirmed(named, email)) await removeUnconfirmed(accounts, named);
}

/**
 * Resolves with the account if this call linked it: Cognito's second and third call find it linked already.
 *
 * Claims no address for a new account: Cognito creates it afterward, and other calls would take the claim of
 * a missing account for a leftover. The post-confirmation trigger claims the address.
 */
async function linkProfile(accounts: Accounts, { userName, request }: PreSignUpTriggerEvent, now: Date) {
  const profile = readProviderProfile(userName, request.userAttributes);
  if (profile.kind === 'refused') throw new SignUpRefused(profile.sentence);
  const { email, identity } = profile;
  const { named, owner, claimedBy } = await accountsWith(accounts, email);
  if (named && isUnconfirmed(named, email)) await removeUnconfirmed(accounts, named);
  // The second call of Cognito may find the user's own new account.
  if (owner && isOf(identity, owner)) return undefined;
  // A provider's account comes first: the owner may have confirmed a stranger's sign-up by mistake.
  const account = owner ?? (named && holdsAddress(named, email) ? named : undefined);
  if (!account) return undefined;
  // An example is an account whose password must be reset.
  if (!isLinkable(account)) throw new SignUpRefused(triggerRefusals.addressTaken);
  if (account === named && claimedBy !== named.username) await finishConfirmation(accounts, named, email);
  // Written down before, so that a request for another address at the same moment sees it.
  await updateAddressChange(accounts.addressChanges, account.sub, (change) => {
    if (isDisconnected(change, identity)) throw new SignUpRefused(triggerRefusals.providerTakenOff);
    if (change.waiting) throw new SignUpRefused(triggerRefusals.addressChanging);
    return providerLinked(change, identity, asciiLowerCase(email), now);
  });
  const isLinkedHere = !isLinked(account, identity) && (await accounts.pool.link(identity, account));
  // The account may have been changed since it was read. Who disconnects a provider notes that first.
  const [latest, change] = await Promise.all([
    accounts.pool.find(account.username),
    accounts.addressChanges.read(account.sub),
  ]);
  if (!latest?.enabled || !holdsAddress(latest, email) || (change && isDisconnected(change, identity))) {
    await accounts.pool.unlink(identity);
    throw new SignUpRefused(triggerRefusals.addressTaken);
  }
  return isLinkedHere ? { account, identity } : undefined;
}

/** Makes up for a post-confirmation trigger that didn't finish: a stranger's password may be in place. */
async function finishConfirmation(accounts: Accounts, { username }: Account, email: string): Promise<void> {
  await accounts.pool.discardPassword(username);
  await accounts.pool.endSessions(username);
  const { kind } = await claimAddress(accounts, email, username);
  if (kind !== 'claimed') throw new SignUpRefused(triggerRefusals.addressTaken);
}

export const handler = withAdapters(backgroundFunctions['triggers/pre-sign-up'], adapters, handlePreSignUp);
