import { isProviderKey, type ProviderKey, providers } from '../../../../schemas/product/providers.ts';
import styles from './oauth-demo.module.css';

interface ProviderChoiceProps {
  chosen: ProviderKey;
  onChoose: (provider: ProviderKey) => void;
}

export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps) {
  return (
    <fieldset className={styles.Providers}>
      <legend>Provider</legend>
      {Object.entries(providers).map(([provider, name]) => (
        <label key={provider}>
          <input
            type="radio"
            name="provider"
            value={provider}
            checked={provider === chosen}
            onChange={() => {
              if (isProviderKey(provider)) onChoose(provider);
            }}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
