import styles from './feature-list.module.css';

interface FeatureListProps {
  features: readonly string[];
  meanings?: readonly string[];
}

export function FeatureList({ features, meanings = [] }: FeatureListProps) {
  return (
    <ul className={styles.Features} data-stack="2">
      {features.map((feature, index) => (
        <li key={feature}>
          {feature}
          {meanings[index] && <p>{meanings[index]}</p>}
        </li>
      ))}
    </ul>
  );
}
