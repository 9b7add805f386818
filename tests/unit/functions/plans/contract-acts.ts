import { handler as endContract } from '../../../../functions/api/end-contract.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { ada } from '../ada.ts';

/** The answer to an action after which there is no contract. */
export const none = { status: 200, body: { standing: { kind: 'free' }, withdrawUntil: null } };

/** A link that ends Ada's contract, as it was mailed to her. */
export const link = () =>
  ada.proofs.create({ purpose: 'end-contract', email: 'ada@example.com' }, new Date());
export const end = (token: string, action: string, offersWithdrawal = true) =>
  call(endContract.with({ ...ada, offersWithdrawal }), { body: { token, action } });
export const lastMail = () => ada.mail.sent.at(-1)?.email;
