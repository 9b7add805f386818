import { useState } from 'react';
import { type ProviderKey, providers as catalogue } from '../../../../../schemas/product/providers.ts';
import { connectProvider, disconnectProvider } from '../../../account/change-provider.ts';
import { OFFERED_NAMES, offeredProviders } from '../../../account/offered-providers.ts';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { UserNameField } from '../../../components/account/user-name-field.tsx';
import type { User } from '../../../session/session.ts';
import { FormSetting, type SettingForm } from '../form-setting.tsx';
import { SessionsEnded } from '../sessions/sessions-ended.tsx';
import { Setting } from '../setting.tsx';
import { PASSWORD, PasswordWay } from './password-way.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import type { LoadedSignIns } from '../../../account/use-sign-ins.ts';

const ANCHOR = 'ways-in';

export function WaysIn({ user, state, reload }: { user: User } & LoadedSignIns) {
  const answer = state.kind === 'loaded' && state.value.ok ? state.value.value.waysIn : null;
  // The token knows the way that made the account.
  const { password, providers } = answer ?? {
    password: user.hasPassword,
    providers: user.provider === null ? [] : [user.provider],
  };
  const others = answer === null ? [] : offeredProviders.filter((provider) => !providers.includes(provider));
  return (
    <Setting
      title="How you sign in"
      anchor={ANCHOR}
      about={`You can also sign in with an account at ${OFFERED_NAMES} that uses this email address.`}
    >
      <div aria-busy={answer === null}>
        {password && <PasswordWay email={user.email} />}
        {[...providers, ...others].map((provider) => {
          const isConnected = providers.includes(provider);
          const { name } = catalogue[provider];
          if (provider === user.provider) {
            return (
              <Setting
                key={provider}
                nested
                title={name}
                anchor={PASSWORD}
                about="You made your account with it, so there is no password here."
              />
            );
          }
          return answer === null ? (
            <Setting key={provider} nested title={name} about="Connected." />
          ) : (
            <FormSetting
              key={provider}
              nested
              title={name}
              verb={isConnected ? 'Disconnect' : 'Connect'}
              value={isConnected ? 'Connected.' : 'Not connected.'}
              about={
                isConnected
                  ? `“Continue with ${name}” will no longer open this account, and you'll be signed out everywhere. You can connect it again here.`
                  : `Choose the ${name} account with the address ${user.email}. One with another address opens another account.`
              }
            >
              {(props) => <ProviderForm {...props} {...{ user, provider, isConnected, reload }} />}
            </FormSetting>
          );
        })}
      </div>
    </Setting>
  );
}

interface ProviderFormProps extends SettingForm {
  user: User;
  provider: ProviderKey;
  isConnected: boolean;
  reload: () => void;
}

function ProviderForm({ user, provider, isConnected, reload, form, finish }: ProviderFormProps) {
  const { name } = catalogue[provider];
  const [password, setPassword] = useState('');

  const submit = async () => {
    const change = isConnected ? disconnectProvider : connectProvider;
    const outcome = await form.send(change(provider, password));
    if (outcome.kind === 'refused') return;
    finish(<SessionsEnded certain={outcome.sessionsEnded}>{name} is disconnected</SessionsEnded>);
    reload();
  };

  return (
    <AccountForm
      form={form}
      onSubmit={submit}
      submit={`${isConnected ? 'Disconnect' : 'Connect'} ${name}`}
      sending={isConnected ? 'Disconnecting...' : 'Connecting...'}
      tone="secondary"
      remedy={<SignInAgain form={form} user={user} path={`/settings#${ANCHOR}`} />}
    >
      {user.hasPassword && (
        <>
          <UserNameField email={user.email} />
          <PasswordField value={password} onChange={setPassword} />
        </>
      )}
    </AccountForm>
  );
}
