import { lazy, Suspense, useEffect } from 'react';
import { product } from '../../../../schemas/product/product.ts';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import styles from './templates.module.css';

const loadModule = () => import('./template-details.tsx');
const TemplateDetails = lazy(loadModule);
const CopyAll = lazy(() => loadModule().then(({ CopyAll: part }) => ({ default: part })));

/** Loads the data of a template's view. A failure is reported when the template is opened. */
export function prefetchDetails(id: string): void {
  loadModule()
    .then(({ loadDetails }) => loadDetails(id))
    .catch(() => {});
}

/** A template as the JSON that the desktop app imports, with an example and its instructions to read. */
export function TemplateView({ template, onBack }: { template: TemplateSummary; onBack: () => void }) {
  const { id, name, summary, categories, modes } = template;
  useEffect(() => {
    document.title = `${name} · ${product.name}`;
    window.scrollTo(0, 0);
  }, [name]);
  return (
    <PageLayout className={styles.Templates}>
      <PageHeader
        facts={
          <p data-facts>
            {categories.join(', ')} · {modes.join(' and ')}
          </p>
        }
        title={name}
        lead={summary}
      />
      <div data-actions>
        <Suspense fallback={<Button disabled>Copy all</Button>}>
          <CopyAll id={id} />
        </Suspense>
        <Button tone="secondary" onClick={onBack}>
          Back
        </Button>
      </div>
      <Suspense>
        <TemplateDetails id={id} />
      </Suspense>
    </PageLayout>
  );
}
