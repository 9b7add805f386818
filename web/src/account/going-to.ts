import { inAppPath } from '../navigation/from-path.ts';
import { keepText, keptText } from './kept-text.ts';

const KEY = 'going-to';

/** Keeps the page that a visitor was going to, for the tab that a mail's link opens. */
export const keepGoingTo = (from: unknown): Promise<void> =>
  keepText(KEY, from === undefined ? undefined : inAppPath(from));

/** The page that a visitor of this browser was going to, once; the dashboard if there is none. */
export async function takeGoingTo(): Promise<string> {
  const path = await keptText(KEY);
  await keepText(KEY, undefined);
  return inAppPath(path);
}
