import { useEffect } from 'react';
import type { Template } from '../../../../schemas/template.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import styles from './templates.module.css';

/** A template as the text that the desktop app takes. */
export function TemplateView({ template, onBack }: { template: Template; onBack: () => void }) {
  const json = JSON.stringify(template.rawData, null, 2);

  useEffect(() => window.scrollTo(0, 0), []);

  return (
    <PageLayout>
      <PageHeader takesFocus title={template.name} lead={template.summary} />
      <div className={styles.Actions}>
        <Button tone="secondary" onClick={onBack}>
          Back
        </Button>
        <CopyButton value={json} tone="primary" />
      </div>
      {/* It scrolls sideways, so the keyboard has to be able to get there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles.Json} aria-label="Template configuration" tabIndex={0}>
        <pre>{json}</pre>
      </section>
    </PageLayout>
  );
}
