import { product } from './product/product.ts';
import { type ProviderKey, providers } from './product/providers.ts';
import { refusals } from './refusal.ts';

/** Our triggers' refusals. Cognito answers `<trigger> failed with error <sentence>.`, with two periods. */
export const triggerRefusals = {
  /** The answer to a sign-up past our pages, which check the address as browsers do. */
  addressInvalid: 'Please enter a valid email address.',
  /** Cognito's own sentence. */
  addressTaken: 'An account with the given email already exists.',
  /** The answer to a code that comes too late: the unconfirmed account is about to be deleted. */
  signUpAgain: 'This sign-up no longer counts. Please sign up again.',
  /** The answer to a correct code: the account is deleted, because another account has the address by now. */
  addressProved: 'This address now has another account. Please sign in to that one.',
  /** The answer to a correct code of a browser that didn't sign up: see `schemas/sign-up-browser.ts`. */
  passwordDiscarded:
    'This address is confirmed, but its password came from elsewhere. Please choose a new password.',
  /** The answer after the day's mails to a mailbox. Each of their links proves every address of it. */
  spent:
    'We have sent several emails to this mailbox today. The button in each of them works for this address, too.',
  /** The answer to a provider's account while a change of the account's address waits. */
  addressChanging:
    'The address of this account is about to change. Sign in another way, and connect this one afterward.',
  /** The answer to a provider's account that the link of a mail has taken off, and to what is left of it. */
  providerTakenOff: `This way to sign in was removed from the account with this address. Please sign in another way, or write to ${product.supportEmail}.`,
  /** The answer while a confirmation is unfinished: the password may be a stranger's. A reset finishes it. */
  confirmationUnfinished:
    'This password has to be replaced before you can sign in: press "Forgot your password?".',
  /** The answer to a sign-in with a provider, or an account at one, that isn't in the catalogue. */
  unknownProvider: "You can't sign in with this account here.",
  /** The same after a complaint. A request with `MAIL_AGAIN` lifts it. */
  complained: refusals['marked-as-spam'].sentence,
  /** The answer to a sign-up, and to a request for another code, if SES suppresses the address. */
  undeliverable: refusals['undeliverable-address'].sentence,
} as const;

/** The refusal of a sign-in with a provider that gives another account's address; `way`: in to that one. */
export function otherWayIn(way: ProviderKey | 'password'): string {
  const how = way === 'password' ? 'its password' : providers[way].name;
  return `The address that came with this sign-in has another ${product.name} account. Sign in to that one with ${how}, or change the address back at the provider that you used.`;
}

export function profileRefusals(provider: ProviderKey) {
  const { name } = providers[provider];
  return {
    unverifiedAddress: `${name} has no verified email address for this account. Verify one at ${name} and try again.`,
    unusableAddress: `The email address of this ${name} account cannot be used here.`,
  } as const;
}

/** Client metadata of a sign-up, or of a request for another mail, whose user wants it after a complaint. */
export const MAIL_AGAIN = { mailAgain: 'true' } as const;

export const asksAgain = (clientMetadata: Record<string, string> | undefined): boolean =>
  clientMetadata?.['mailAgain'] === MAIL_AGAIN.mailAgain;
