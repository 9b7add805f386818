import type { Move } from './moves.ts';
import type { Control, Observation } from './observe.ts';

/** One step of a run, as the properties see it. */
export interface Step {
  move: Move;
  /** The control that the move presses. */
  control: Control | undefined;
  before: Observation | undefined;
  /** Undefined while the page navigates, or when it has left our site. */
  after: Observation | undefined;
  /** Uncaught errors, and what the page wrote to the console as an error that no request explains. */
  errors: readonly string[];
  /** Requests of the step that failed: `POST /api/plan: 503`. */
  failed: readonly string[];
  /** The move changed what is seen: another address, tab or look of the page. */
  isAnswered: boolean;
  networkIsOn: boolean;
  /** The network was off since the document was loaded. A browser doesn't ask for a lost part again. */
  hasLostNetwork: boolean;
  /** The page was read after the last change of the world, so that what it says is new. */
  isFresh: boolean;
  /** Stripe's events have all arrived, or been caught up with. */
  isSettled: boolean;
  /** The user's subscription as Stripe has it. */
  stripe: { hasPaid: boolean; isPaying: boolean; endsAtPeriodEnd: boolean };
  /** Name, address and tokens of the user whose session has ended in this browser, else empty. */
  endedSession: readonly string[];
}

const ON_PLUS = /You're on Plus/;
const ON_FREE = /You're on Free,/;

/** At 0.1 a page counts as good (https://web.dev/articles/cls). */
const MOST_SHIFT = 0.1;

/** Properties that hold after each step, by name. A text says how one is broken. */
export const properties: Readonly<Record<string, (step: Step) => string | undefined>> = {
  // Without a network, a part that can't be loaded is reported and answered by a page that says so.
  'a page throws nothing': ({ errors, hasLostNetwork }) =>
    errors.find((text) => !hasLostNetwork || !/Unable to preload|dynamically imported/.test(text)),
  'a request that failed after a press is explained on the page': ({
    failed,
    move,
    before,
    after,
    networkIsOn,
  }) =>
    failed.length > 0 &&
    networkIsOn &&
    move.do === 'press' &&
    // A page that asks with an ended session while its user signs out has nothing more to say.
    !move.label.includes('Sign Out') &&
    after?.isOurs &&
    after.announced.length === 0 &&
    // Another heading says what the answer was: a checkout on Plus is “You're on Plus.”
    after.headings.join() === before?.headings.join()
      ? failed.join(', ')
      : undefined,
  'nobody has Plus without a payment': ({ after, stripe }) =>
    after?.isOurs && ON_PLUS.test(after.text) && !stripe.hasPaid ? after.path : undefined,
  'a payer never reads Free': ({ after, stripe, isFresh, isSettled }) =>
    isFresh && isSettled && stripe.isPaying && after?.isOurs && ON_FREE.test(after.text)
      ? after.path
      : undefined,
  'the page and Stripe agree whether Plus ends': ({ after, stripe, isFresh, isSettled }) => {
    if (!isFresh || !isSettled || !after?.isOurs || !stripe.isPaying) return undefined;
    const says = /You're on Plus until [^.]+\.\s+You aren't charged again\./.test(after.text);
    const renews = /Next charge:/.test(after.text);
    if (says && !stripe.endsAtPeriodEnd) return `${after.path} says that Plus ends`;
    return renews && stripe.endsAtPeriodEnd ? `${after.path} says that Plus renews` : undefined;
  },
  'every page has a way on': ({ after }) =>
    after?.isOurs && after.controls.length === 0 ? after.path : undefined,
  'a window never shows two primary buttons': ({ after }) =>
    after?.isOurs && after.primary.length > 1 ? `${after.path}: ${after.primary.join(', ')}` : undefined,
  'a press doesn’t lose the focus': ({ move, control, before, after }) =>
    move.do === 'press' &&
    before?.isOurs &&
    after?.isOurs &&
    before.path === after.path &&
    // A document that is loaded anew begins without a focus, and is announced.
    before.loadedAt === after.loadedAt &&
    !before.focusIsLost &&
    !control?.leadsIntoPage &&
    after.focusIsLost
      ? `${after.path} after ${move.label}`
      : undefined,
  'a page has one heading, and a title of its own': ({ after }) => {
    if (!after?.isOurs) return undefined;
    if (after.headings.length > 1) return `${after.path}: ${after.headings.join(' and ')}`;
    return after.title === '' || /undefined|null/.test(after.title + after.headings.join(''))
      ? after.path
      : undefined;
  },
  'nothing private is left when a session has ended': ({ after, endedSession }) => {
    // The last page of an account says whose account it was. Leaving it loads another document.
    const isLast = /^Your account is (closed|deleted)$/.test(after?.headings[0] ?? '');
    const seen = `${after?.stored} ${isLast ? '' : after?.text}`;
    const left = endedSession.find((text) => seen.includes(text));
    return after?.isOurs && left !== undefined ? `${after.path} keeps ${left.slice(0, 40)}` : undefined;
  },
  'nothing moves without input': ({ after, move }) =>
    after && after.shifted > MOST_SHIFT && move.do !== 'resize' && move.do !== 'clock'
      ? `${after.path}: ${after.shifted.toFixed(3)}`
      : undefined,
  'a press is answered by something visible': ({ move, isAnswered, before, networkIsOn }) =>
    move.do === 'press' && networkIsOn && before?.isOurs && !isAnswered
      ? `${before.path}: ${move.label}`
      : undefined,
  'no text is a value of a program': ({ after }) =>
    after?.isOurs && /\bundefined\b|\[object |\bNaN\b|Invalid Date/.test(after.text)
      ? `${after.path}: ${/.{0,40}(undefined|\[object |NaN|Invalid Date).{0,40}/.exec(after.text)?.[0]}`
      : undefined,
};
