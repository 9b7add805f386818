import styles from './feature-list.module.css';

export function FeatureList({ features }: { features: readonly string[] }) {
  return (
    <ul className={styles.Features}>
      {features.map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
    </ul>
  );
}
