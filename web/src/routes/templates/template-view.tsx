import { useEffect, useRef, useState } from 'react';
import type { Template } from '../../../../schemas/template.ts';
import { Button } from '../../components/button.tsx';
import styles from './templates.module.css';

// Specification, section 9.
const COPIED_FOR = 2_000;

/** A template as the text that the desktop app takes. */
export function TemplateView({ template, onBack }: { template: Template; onBack: () => void }) {
  const json = JSON.stringify(template.rawData, null, 2);
  const [copied, setCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus();
  }, []);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_FOR);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(json);
      setCopied(true);
    } catch {
      // Specification, section 8: no message.
      setCopied(false);
    }
  };

  return (
    <div className={styles.Templates}>
      <header className={styles.Head}>
        <h1 ref={heading} tabIndex={-1}>
          {template.name}
        </h1>
        <p>{template.summary}</p>
      </header>
      <div className={styles.Actions}>
        <Button tone="secondary" onClick={onBack}>
          Back
        </Button>
        <Button onClick={() => void copy()}>{copied ? 'Copied!' : 'Copy'}</Button>
      </div>
      <output className="heard">{copied && 'Copied!'}</output>
      {/* It scrolls sideways, so the keyboard has to be able to get there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles.Json} aria-label="Template configuration" tabIndex={0}>
        <pre>{json}</pre>
      </section>
    </div>
  );
}
