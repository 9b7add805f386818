import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

// Milliseconds.
const COPIED_FOR = 2_000;

interface CopyButtonProps {
  value: string;
  /** Name of the value, on a page with several copy buttons. */
  name?: string;
  tone?: 'primary' | 'secondary';
  label?: string;
  /** A small button beside its value, without words. */
  icon?: boolean;
}

/** Copies a value. Does nothing, silently, if the browser doesn't allow copying. */
export function CopyButton({
  value,
  name,
  tone = 'secondary',
  label = 'Copy',
  icon = false,
}: CopyButtonProps) {
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
      <Button
        tone={icon ? 'quiet' : tone}
        {...(name && { 'aria-label': `Copy ${name}` })}
        onClick={() => void copy()}
      >
        {icon ? <CopyIcon copied={copied} /> : copied ? 'Copied!' : label}
      </Button>
      <output className="visuallyHidden">{copied && 'Copied!'}</output>
    </>
  );
}

const CopyIcon = ({ copied }: { copied: boolean }) => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    aria-hidden
  >
    <path d={copied ? 'M3 9.5 7 13.5 15 5' : 'M6.5 6.5h8v8h-8zM3.5 11.5v-8h8'} />
  </svg>
);
