import { retention } from '../../schemas/product/retention.ts';
import type { EarlierMailbox } from '../domain/waiting-deletion.ts';
import { EMAIL_CHANGED_SUBJECT } from './email-changed.ts';
import { dayInWords } from './moment.ts';

/** Tells an earlier address of an account how to take back a change. Doesn't name the new address. */
export const howToTakeBack = ({ replacedAt }: EarlierMailbox): string =>
  `You are getting this email because the account had this address until ${dayInWords(replacedAt)}. If it was not you, press the button in our email of that day, “${EMAIL_CHANGED_SUBJECT}”: it gives you the account back. It works for ${retention.daysToUndo} days.`;
