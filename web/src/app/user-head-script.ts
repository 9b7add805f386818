/*
 * Runs before the first paint in the head of the pages about a user: all pages that aren't listed. Marks
 * <html> for the styles: whether the previous page has signed out, the query's request, and the user. Like
 * head-script.ts, the text of each build runs under the content security policy of the next.
 */
import { setText, showRememberedUser } from '../components/remembered-user.ts';
import { tabStorage } from '../session/browser-storage.ts';
import { hasStoredNotice } from '../session/sign-in-notice.ts';

const root = document.documentElement;
if (hasStoredNotice(tabStorage())) root.dataset['signedOut'] = '';
const query = new URLSearchParams(location.search);
root.dataset['source'] = query.get('source') ?? '';
setText('--email', query.get('email') ?? '');
showRememberedUser();
