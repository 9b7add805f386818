import { useState } from 'react';
import { templates } from 'virtual:content/templates';
import { templateCategories } from '../../../../schemas/categories.ts';
import { product } from '../../../../schemas/product.ts';
import type { Template } from '../../../../schemas/template.ts';
import { Button, buttonProps } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { FilterButtons } from '../../components/filter-buttons.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { TemplateView } from './template-view.tsx';
import styles from './templates.module.css';

const ALL = 'All Templates';
const filters = [ALL, ...templateCategories] as const;
type Filter = (typeof filters)[number];

type State = { kind: 'list' } | { kind: 'template'; template: Template };

export default function TemplatesPage() {
  const [state, setState] = useState<State>({ kind: 'list' });
  const [filter, setFilter] = useState<Filter>(ALL);
  if (state.kind === 'template') {
    return <TemplateView template={state.template} onBack={() => setState({ kind: 'list' })} />;
  }
  return (
    <PageLayout>
      <PageHeader
        title="Ready-to-use templates"
        lead="A template is a set of commands and contexts that somebody has found to work well together. Take one over as it is, and change it until it is yours."
      />
      <FilterButtons label="Category" options={filters} chosen={filter} onChoose={setFilter} />
      <Gallery filter={filter} onUse={(template) => setState({ kind: 'template', template })} />
      <CallToAction
        aria-labelledby="contribute"
        actions={
          <>
            <FormLink tone="primary">Contribute</FormLink>
            <FormLink tone="secondary">Upload Template</FormLink>
          </>
        }
      >
        <div>
          <h2 id="contribute">Have one that works?</h2>
          <p>Pass it on. A form asks for what others need to know about it.</p>
        </div>
      </CallToAction>
    </PageLayout>
  );
}

function FormLink({ tone, children }: { tone: 'primary' | 'secondary'; children: string }) {
  return (
    <a {...buttonProps({ tone })} href={product.templateFormUrl} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

const categoriesOf = ({ category, categories }: Template): readonly string[] =>
  categories ?? (category === undefined ? [] : [category]);

function Gallery({ filter, onUse }: { filter: Filter; onUse: (template: Template) => void }) {
  const shown = templates.filter((template) => filter === ALL || categoriesOf(template).includes(filter));
  // An output, so that screen readers announce it.
  if (shown.length === 0) {
    return (
      <output className={styles.Empty}>
        {filter === ALL ? (
          <>
            <strong>No templates available yet</strong>
            <span>We're working on creating amazing templates for you. Check back soon!</span>
          </>
        ) : (
          <span>No templates available in the {filter} category yet.</span>
        )}
      </output>
    );
  }
  return (
    <ul className={styles.List}>
      {shown.map((template) => (
        <Card key={template.id} template={template} onUse={() => onUse(template)} />
      ))}
    </ul>
  );
}

function Card({ template, onUse }: { template: Template; onUse: () => void }) {
  const { id, name, summary, modes, commandGroups, contextGroups } = template;
  const names = [
    ...commandGroups.flatMap(({ commands }) => commands),
    ...contextGroups.flatMap(({ contexts }) => contexts),
  ];
  return (
    <li className={styles.Card}>
      <p className={styles.Facts}>
        {categoriesOf(template).join(', ')} · {modes.join(' and ')}
      </p>
      <h2 id={id}>{name}</h2>
      <p>{summary}</p>
      <ul className={styles.Names} aria-label="Commands and contexts">
        {names.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
      <Button tone="secondary" aria-describedby={id} onClick={onUse}>
        Use Template
      </Button>
    </li>
  );
}
