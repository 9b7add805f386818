import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import styles from './button.module.css';

export interface Look {
  tone?: 'primary' | 'secondary' | 'quiet';
  size?: 'regular' | 'large';
  /** As wide as what it stands in. */
  wide?: boolean;
}

/** What makes an element look like a button; for elements that come from elsewhere. */
export const buttonProps = ({ tone = 'primary', size = 'regular', wide = false }: Look = {}) => ({
  className: styles.Button ?? '',
  'data-tone': tone,
  'data-size': size,
  'data-wide': wide,
});

export function Button({ tone, size, wide, ...props }: Look & ComponentProps<'button'>) {
  return <button type="button" {...buttonProps(look({ tone, size, wide }))} {...props} />;
}

/** A link within the site that looks like a button. */
export function ButtonLink({ tone, size, wide, ...props }: Look & ComponentProps<typeof Link>) {
  return <Link {...buttonProps(look({ tone, size, wide }))} {...props} />;
}

// An absent property and an undefined one differ in type only.
const look = (given: { [K in keyof Look]: Look[K] | undefined }) => given as Look;
