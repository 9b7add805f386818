/*
 * Runs in the head of every built page, before anything is painted. It says on <html> whether somebody may be signed in, for
 * the styles to show the right links, and brings the application once the page stands, or at the first touch. Its text is
 * the same in every build, what differs is in attributes: the content security policy knows it by its hash, and
 * a page that a cache still holds runs under the policy of the next deployment.
 */
import { holdPresses } from './early-press.ts';
import { rememberedUser } from '../session/browser-storage.ts';

const TOUCHES = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];

const { application = '', parts = '', now } = document.currentScript?.dataset ?? {};

if (rememberedUser() !== null) document.documentElement.dataset['session'] = 'holder';
window.earlyPress = holdPresses();

const bring = () => void import(/* @vite-ignore */ application);

let begun = false;
function begin(): void {
  if (begun) return;
  begun = true;
  for (const type of TOUCHES) removeEventListener(type, begin);
  for (const href of [application, ...parts.split(' ')]) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  // A script that a cache holds is there before the rest of a page that comes in pieces, and would find half of it.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', bring);
  else bring();
}

// Safari has no idle callback.
const whenIdle = () =>
  'requestIdleCallback' in window ? requestIdleCallback(begin) : setTimeout(begin, 200);

if (now === undefined) {
  for (const type of TOUCHES) addEventListener(type, begin, { passive: true });
  // A frame that a script has asked for isn't painted yet when the script runs; this is told of what has been.
  new PerformanceObserver(whenIdle).observe({ type: 'paint', buffered: true });
  // Not every browser tells of every paint, and a busy one is never idle; a page that nobody touches is taken over all the same.
  addEventListener('load', () => setTimeout(begin, 1_000));
} else begin();
