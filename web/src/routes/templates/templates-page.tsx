import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { templates } from 'virtual:content/templates';
import { product } from '../../../../schemas/product/product.ts';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';
import { buttonProps } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { FilterButtons } from '../../components/filter-buttons.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { SearchFailed, SearchField } from '../../components/search/search-field.tsx';
import { useSearch } from '../../components/search/use-search.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { type Choice, choiceIn, EVERYTHING, filters, queryFor } from './find-templates.ts';
import { Gallery } from './gallery.tsx';
import { TemplateView } from './template-view.tsx';
import styles from './templates.module.css';

/** Milliseconds from the last key to the update of the address. Browsers refuse many updates in a row. */
const ADDRESS_AFTER = 300;

const loadSearch = () => import('./template-search.ts').then(({ searchTemplates }) => searchTemplates);

// The router isn't used, since it would scroll to the start and move the focus to the heading.
const keepInAddress = (choice: Choice) =>
  history.replaceState(history.state, '', location.pathname + queryFor(choice));

/** The gallery, or the template that the address names, as in `/templates#code-review`. */
export default function TemplatesPage() {
  const { key, search: query, hash } = useLocation();
  const navigate = useNavigate();
  // The built HTML knows neither query nor hash, and the first render must match the built HTML.
  const hydrated = useHydrated();
  const addressed = hydrated ? choiceIn(query) : EVERYTHING;
  const [chosen, setChosen] = useState<{ choice: Choice; at: string } | null>(null);
  // The user's choice holds until the next navigation.
  const choice = chosen?.at === key ? chosen.choice : addressed;
  const template = hydrated ? templates.find(({ id }) => hash === `#${id}`) : undefined;
  const shownId = template?.id;
  const { found, failed, pending, prepare } = useSearch(choice.search, loadSearch);
  // The template that was opened from the gallery, and the gallery's scroll position.
  const opened = useRef<{ id: string; at: number } | null>(null);
  const find = useRef<HTMLElement>(null);

  useEffect(() => {
    if (chosen?.at !== key) return undefined;
    const timer = setTimeout(() => keepInAddress(chosen.choice), ADDRESS_AFTER);
    return () => clearTimeout(timer);
  }, [chosen, key]);

  useEffect(() => {
    if (shownId !== undefined || !opened.current) return;
    const { id, at } = opened.current;
    opened.current = null;
    window.scrollTo(0, at);
    document.getElementById(id)?.querySelector('a')?.focus({ preventScroll: true });
  }, [shownId]);

  if (template) {
    const back = () => void (opened.current ? navigate(-1) : navigate({ search: query }));
    return <TemplateView key={template.id} template={template} onBack={back} />;
  }
  const choose = (next: Choice) => setChosen({ choice: next, at: key });
  // The button that widens the choice disappears, and would take the focus along.
  const widen = (next: Choice) => {
    choose(next);
    find.current?.querySelector('input')?.focus();
  };
  const open = ({ id }: TemplateSummary) => {
    keepInAddress(choice);
    opened.current = { id, at: window.scrollY };
  };
  return (
    <PageLayout className={styles.Templates} data-ready={hydrated}>
      <PageHeader
        title="Ready-to-use templates"
        lead="A template is a set of commands and contexts for one kind of work. Use it as it is, then make it yours."
      />
      <search ref={find} className={styles.Find} data-stack="5">
        <SearchField
          label="Search templates"
          placeholder="email, summarize, contract"
          value={choice.search}
          onChange={(search) => choose({ ...choice, search })}
          onFocus={prepare}
        />
        <FilterButtons
          label="Category"
          options={filters}
          chosen={choice.category}
          onChoose={(category) => choose({ ...choice, category })}
        />
      </search>
      {failed && <SearchFailed />}
      {/* A new list for another address, so that no row shifts when the script narrows the built list. */}
      <Gallery
        key={`${queryFor(addressed)} ${pending}`}
        choice={choice}
        found={found}
        pending={pending}
        onChoose={widen}
        onOpen={open}
      />
      <Contribute />
    </PageLayout>
  );
}

function Contribute() {
  return (
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
        <p>Pass it on. A short form asks what others should know.</p>
      </div>
    </CallToAction>
  );
}

function FormLink({ tone, children }: { tone: 'primary' | 'secondary'; children: string }) {
  return (
    <a {...buttonProps({ tone })} href={product.templateFormUrl} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
