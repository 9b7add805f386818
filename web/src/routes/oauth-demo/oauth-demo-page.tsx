import { TextField } from '@aws-amplify/ui-react';
import '../../styles/amplify-fields.css';
import { useLayoutEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { isRegistered } from '../../../../schemas/config/relay-address.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { useAccountForm } from '../../components/account/use-account-form.ts';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import {
  defaultProviders,
  isProviderKey,
  type ProviderKey,
  providers,
} from '../../../../schemas/product/providers.ts';
import { type Outcome, refused } from '../../account/outcome.ts';
import { offeredProviders } from '../../account/offered-providers.ts';
import { beginSignIn, canStoreFlow } from '../../relay/relay.ts';
import { NOT_REGISTERED, STORAGE_NEEDED } from '../../relay/outcome.ts';
import { usePageRestored } from '../../components/page/page-restored.ts';
import { useLoad } from '../../api/use-load.ts';
import { siteConfig } from '../../pages/site-config.ts';
import { Received, receivedOf } from './received.tsx';

/** Starts the relay as an app would, and receives the answer unless another address is given. */
export default function OAuthDemoPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [received] = useState(() => receivedOf(query));

  // Removes the tokens from the address bar at once, as an app should.
  const carried = receivedOf(query) !== null;
  useLayoutEffect(() => {
    if (carried) void navigate('/oauth/demo', { replace: true });
  }, [carried, navigate]);

  return (
    <AccountLayout
      title="OAuth demo"
      lead="Sign in with a provider on behalf of an app, and see what the app gets. Your own session on this site stays as it is."
    >
      {received && <Received received={received} />}
      <Starter
        provider={received ? null : query.get('provider')}
        state={received ? null : query.get('state')}
      />
    </AccountLayout>
  );
}

interface Asked {
  provider: ProviderKey;
  redirectUri: string;
  appState: string;
}

function Starter(prefilled: { provider: string | null; state: string | null }) {
  const { state: loaded } = useLoad('relay-addresses', readRegistered);
  const registered = loaded.kind === 'loaded' ? loaded.value : null;
  const [asked, setAsked] = useState<Asked>(() => ({
    provider: isProviderKey(prefilled.provider)
      ? prefilled.provider
      : (offeredProviders[0] ?? defaultProviders[0]),
    redirectUri: `${location.origin}/oauth/demo`,
    appState: prefilled.state ?? '',
  }));
  const form = useAccountForm();
  const edit = (change: Partial<Asked>) => setAsked({ ...asked, ...change });
  const { provider, redirectUri, appState } = asked;
  const empty = redirectUri.trim() === '';
  const unregistered = !empty && registered !== null && !isRegistered(redirectUri, registered);

  usePageRestored(form.edit);

  const start = async (): Promise<Outcome> => {
    if (!canStoreFlow()) return refused(STORAGE_NEEDED);
    try {
      const { legacyAddresses } = await siteConfig();
      if (!isRegistered(redirectUri, legacyAddresses)) return refused(NOT_REGISTERED);
      location.assign(await beginSignIn({ provider, redirectUri, appState: appState || null }));
      return { kind: 'done' };
    } catch {
      return refused('The sign-in could not be started. Please check your connection and try again.');
    }
  };

  return (
    <AccountForm
      form={form}
      onSubmit={() => form.send(start())}
      submit="Start OAuth Flow"
      sending="Start OAuth Flow"
      ready={!empty && form.state.kind !== 'sending'}
    >
      <div className="amplify-field">
        <label className="amplify-label" htmlFor="provider">
          Provider
        </label>
        <select
          id="provider"
          value={provider}
          onChange={({ target }) => isProviderKey(target.value) && edit({ provider: target.value })}
        >
          {offeredProviders.map((key) => (
            <option key={key} value={key}>
              {providers[key].name}
            </option>
          ))}
        </select>
      </div>
      <TextField
        label="Redirect URI"
        name="redirect_uri"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        isRequired
        value={redirectUri}
        hasError={unregistered}
        errorMessage={<span role="alert">{NOT_REGISTERED}</span>}
        onChange={(event) => edit({ redirectUri: event.target.value })}
      />
      <TextField
        label="State (optional)"
        name="state"
        autoComplete="off"
        spellCheck={false}
        value={appState}
        onChange={(event) => edit({ appState: event.target.value })}
      />
    </AccountForm>
  );
}

/** The addresses to which the relay may send tokens in the query; null if they can't be loaded. */
const readRegistered = (): Promise<readonly string[] | null> =>
  siteConfig().then(
    ({ legacyAddresses }) => legacyAddresses,
    () => null,
  );
