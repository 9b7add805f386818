import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

// Milliseconds.
const COPIED_FOR = 2_000;

interface CopyButtonProps {
  value: string;
  /** Name of the value, on a page with several copy buttons. */
  name?: string;
  /** @default secondary */
  tone?: 'primary' | 'secondary';
  /** @default Copy */
  label?: string;
}

/** Copies a value. Does nothing, silently, if the browser doesn't allow copying. */
export function CopyButton({ value, name, tone = 'secondary', label = 'Copy' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_FOR);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };

  return (
    <>
      <Button tone={tone} {...(name && { 'aria-label': `Copy ${name}` })} onClick={() => void copy()}>
        {copied ? 'Copied!' : label}
      </Button>
      <output className="visuallyHidden">{copied && 'Copied!'}</output>
    </>
  );
}
