/*
 * Runs before the first paint in the head of the pages about a user: all that aren't listed. It marks <html>
 * for the styles: whether the page before this one has signed out, what the query asks for, and who the user
 * is. The text of each build runs under the content security policy of the next, as that of head-script.ts.
 */
import { setText, showRememberedUser } from '../components/remembered-user.ts';
import { tabStorage } from '../session/browser-storage.ts';
import { hasStoredNotice } from '../session/sign-in-notice.ts';

const root = document.documentElement;
if (hasStoredNotice(tabStorage())) root.dataset['signedOut'] = '';
const query = new URLSearchParams(location.search);
root.dataset['source'] = query.get('source') ?? '';
if (query.get('code')?.trim()) root.dataset['code'] = '';
setText('--email', query.get('email') ?? '');
showRememberedUser();
