import styles from './skeleton.module.css';

interface SkeletonProps {
  /** CSS lengths. */
  width?: string;
  height?: string;
}

/** A bar in place of content that is loading. Screen readers skip it. */
export function Skeleton({ width = '100%', height = '1lh' }: SkeletonProps) {
  return <span className={styles.Skeleton} style={{ width, height }} aria-hidden="true" />;
}

export const ButtonSkeleton = () => <Skeleton height="2.875rem" />;
