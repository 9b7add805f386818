import { useState } from 'react';
import { isProviderKey, providers } from '../../../../../schemas/product/providers.ts';
import type { Plan } from '../../../../../schemas/rows/plan.ts';
import { KNOWN_WAY_IN } from '../../../account/way-in.ts';
import { Notice } from '../../../components/notice.tsx';
import { tabStorage } from '../../../session/browser-storage.ts';

// Milliseconds between the account and the sign-in that made it.
const AT_ONCE = 120_000;

/** Leads back to the account that this browser knew, if a sign-in with a provider has made another one. */
export function NewAccount({ plan: { createdAt, lastSignInAt } }: { plan: Plan }) {
  const [known] = useState(() => tabStorage()?.getItem(KNOWN_WAY_IN));
  const age = Date.parse(lastSignInAt ?? '') - Date.parse(createdAt ?? '');
  if (!known || !(Math.abs(age) < AT_ONCE)) return null;
  const way = isProviderKey(known) ? providers[known].name : 'an email address and a password';
  return (
    <Notice>
      This sign-in made a new account. This browser was last signed in with {way}: to go back to that account,
      sign out and choose that way.
    </Notice>
  );
}
