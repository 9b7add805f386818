import styles from './keys.module.css';

interface KeysProps {
  of: readonly string[];
  pressed?: boolean;
  className?: string | undefined;
}

export function Keys({ of, pressed = false, className = '' }: KeysProps) {
  return (
    <span className={`${styles.Keys} ${className}`} data-pressed={pressed}>
      {of.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
