import { type ProviderKey, providers } from '../../../../schemas/product/providers.ts';
import { offeredProviders } from '../../account/offered-providers.ts';
import styles from './oauth-demo.module.css';

interface ProviderChoiceProps {
  chosen: ProviderKey;
  onChoose: (provider: ProviderKey) => void;
}

export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps) {
  return (
    <fieldset className={styles.Providers}>
      <legend>Provider</legend>
      {offeredProviders.map((provider) => (
        <label key={provider}>
          <input
            type="radio"
            name="provider"
            value={provider}
            checked={provider === chosen}
            onChange={() => onChoose(provider)}
          />
          {providers[provider].name}
        </label>
      ))}
    </fieldset>
  );
}
