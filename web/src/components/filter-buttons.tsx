import styles from './filter-buttons.module.css';

interface FilterButtonsProps<T extends string> {
  /** Name of the group for screen readers. */
  label: string;
  options: readonly T[];
  chosen: T;
  onChoose: (option: T) => void;
}

/** A choice of exactly one option. */
export function FilterButtons<T extends string>({ label, options, chosen, onChoose }: FilterButtonsProps<T>) {
  return (
    <fieldset className={styles.Filters} data-scripted aria-label={label}>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className={styles.Filter}
          data-label={option}
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}
