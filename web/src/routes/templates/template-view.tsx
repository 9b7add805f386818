import { useEffect } from 'react';
import type { Template } from '../../../../schemas/template.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import styles from './templates.module.css';

/** A template as the JSON that the desktop app imports. */
export function TemplateView({ template, onBack }: { template: Template; onBack: () => void }) {
  const json = JSON.stringify(template.rawData, null, 2);

  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  return (
    <PageLayout>
      <PageHeader takesFocus title={template.name} lead={template.summary} />
      <div className={styles.Actions}>
        <Button tone="secondary" onClick={onBack}>
          Back
        </Button>
        <CopyButton value={json} tone="primary" />
      </div>
      {/* Focusable, so that the keyboard can scroll it sideways. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles.Json} aria-label="Template configuration" tabIndex={0}>
        <pre>{json}</pre>
      </section>
    </PageLayout>
  );
}
