import { isRelayProvider, type RelayProvider, relayProviders } from '../../relay/providers.ts';
import styles from './oauth-demo.module.css';

interface ProviderChoiceProps {
  chosen: RelayProvider;
  onChoose: (provider: RelayProvider) => void;
}

export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps) {
  return (
    <fieldset className={styles.Providers}>
      <legend>Provider</legend>
      {Object.entries(relayProviders).map(([provider, name]) => (
        <label key={provider}>
          <input
            type="radio"
            name="provider"
            value={provider}
            checked={provider === chosen}
            onChange={() => {
              if (isRelayProvider(provider)) onChoose(provider);
            }}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
