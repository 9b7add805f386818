/*
 * Runs before the first paint in the head of the pages about a user: all pages that aren't listed. Marks
 * <html> for the styles: whether the previous page has signed out, the query's request, the user, and a
 * newcomer who wants to buy. Like head-script.ts, the text of each build runs under the content security
 * policy of the next.
 */
import { knowsWayIn } from '../account/way-in.ts';
import { setText, showRememberedUser } from '../components/remembered-user.ts';
import { tabStorage } from '../session/browser-storage.ts';
import { isCheckout } from '../navigation/from-path.ts';
import { hasStoredNotice } from '../session/sign-in-notice.ts';

const root = document.documentElement;
if (hasStoredNotice(tabStorage())) root.dataset['signedOut'] = '';
const query = new URLSearchParams(location.search);
root.dataset['source'] = query.get('source') ?? '';
setText('--email', query.get('email') ?? '');
showRememberedUser();
// After the first paint, the page would shift.
if (isCheckout(query.get('to') ?? '')) {
  void knowsWayIn().then((isKnown) => {
    if (!isKnown && performance.getEntriesByType('paint').length === 0) root.dataset['newcomer'] = '';
  });
}
