import type { WaitingAddress } from '../../../schemas/shapes/new-address.ts';
import { call } from '../api/call.ts';
import { EMAIL_INVALID } from './credentials.ts';
import { type Refused, refused } from './outcome.ts';
import { confirmPassword } from './password.ts';

/** `waiting`: the change that waits from now on; null if none does. */
type AddressRequest = { kind: 'done'; waiting: WaitingAddress | null } | Refused;

/** Requests another address. The password proves that the user is still at the keyboard. */
export async function requestAddress(newEmail: string, password: string): Promise<AddressRequest> {
  const confirmed = await confirmPassword(password);
  return confirmed.kind === 'refused' ? confirmed : changeEmail(newEmail);
}

/** Mails a link to the account's own address, although mail to it bounced. */
export const proveAddress = (email: string): Promise<AddressRequest> => changeEmail(email);

/** Takes the waiting change of address back. */
export const takeBackAddress = (): Promise<AddressRequest> => changeEmail(null);

/** The address whose request was refused because of a complaint. The next press lifts that. */
let stopped: string | undefined;

async function changeEmail(newEmail: string | null): Promise<AddressRequest> {
  const again = newEmail !== null && newEmail === stopped;
  const answer = await call('change-email', { body: { newEmail, again } });
  if (newEmail !== null && !answer.ok && answer.code === 'marked-as-spam') stopped = newEmail;
  if (answer.ok) return { kind: 'done', waiting: answer.value.waiting };
  return refused(answer.code === 'bad-request' ? EMAIL_INVALID : answer.sentence);
}
