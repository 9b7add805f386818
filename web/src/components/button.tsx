import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import styles from './button.module.css';

export interface ButtonVariant {
  tone?: 'primary' | 'secondary' | 'quiet';
  size?: 'large';
  wide?: boolean;
}

/** The props that make another element look like a button. */
export const buttonProps = ({ tone = 'primary', size, wide }: ButtonVariant = {}) => ({
  className: styles.Button ?? '',
  'data-tone': tone,
  'data-size': size,
  'data-wide': wide,
});

export function Button({ tone, size, wide, ...props }: ButtonVariant & ComponentProps<'button'>) {
  return <button type="button" {...buttonProps(variant({ tone, size, wide }))} {...props} />;
}

export function ButtonLink({ tone, size, wide, ...props }: ButtonVariant & ComponentProps<typeof Link>) {
  return <Link {...buttonProps(variant({ tone, size, wide }))} {...props} />;
}

// An absent property and an undefined one differ in type under exactOptionalPropertyTypes.
const variant = (given: { [K in keyof ButtonVariant]: ButtonVariant[K] | undefined }) =>
  given as ButtonVariant;
