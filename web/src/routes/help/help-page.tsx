import {
  type KeyboardEvent,
  type MouseEvent,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router-dom';
import { help } from 'virtual:content/help';
import { type HelpTabId, helpTabs } from '../../../../schemas/content/categories.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { SearchFailed, SearchField } from '../../components/search/search-field.tsx';
import { useSearch } from '../../components/search/use-search.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { Keys } from '../../components/app/keys.tsx';
import { buttonProps } from '../../components/button.tsx';
import type { Found } from '../../components/search/text-index.ts';
import { product } from '../../../../schemas/product/product.ts';
import { Commands, Contexts, Overlay, Selection } from '../../components/app/overlay.tsx';
import { allTopics } from './all-topics.ts';
import styles from './help.module.css';
import { Questions, Topics } from './topics.tsx';

const loadSearch = () => import('./help-search.ts').then(({ searchHelp }) => searchHelp);

/** The tab of an address, as in `/help#faq`. */
const tabIn = (hash: string): HelpTabId | undefined => helpTabs.find(({ id }) => hash === `#${id}`)?.id;

export default function HelpPage() {
  const hydrated = useHydrated();
  const [hash, readAgain] = useHash();
  const [search, setSearch] = useState('');
  const { found, failed, prepare } = useSearch(search, loadSearch);
  const selected = tabIn(hash) ?? helpTabs[0].id;
  const choose = (tab: HelpTabId) => {
    // The router isn't used, since it would scroll to the panel and move the focus there.
    history.replaceState(history.state, '', `#${tab}`);
    readAgain();
  };
  return (
    <PageLayout className={styles.Help} data-ready={hydrated}>
      <PageHeader title="Help" lead="How to begin, what to press, and where to ask." />
      <SearchField
        label="Search the help"
        placeholder="cancel, offline, delete"
        value={search}
        onChange={setSearch}
        onFocus={prepare}
      />
      {failed && <SearchFailed />}
      {(selected === 'getting-started' || selected === 'shortcuts') && <Picture />}
      {found ? (
        <Answers found={found} search={search} />
      ) : (
        <>
          <Tabs selected={selected} onChoose={choose} />
          {helpTabs.map(({ id }) => (
            <section
              key={id}
              id={id}
              role="tabpanel"
              className={styles.Panel}
              aria-labelledby={`${id}-tab`}
              hidden={id !== selected}
            >
              <Topics tab={id} topics={help[id]} />
            </section>
          ))}
        </>
      )}
    </PageLayout>
  );
}

/** The topics of all tabs that a search found, best first. */
function Answers({ found, search }: { found: Found; search: string }) {
  const topics = found.ids.flatMap((at) => allTopics[Number(at)] ?? []);
  return (
    <div className={styles.Panel}>
      {topics.length === 0 ? (
        <>
          <output>Nothing matches “{search.trim()}”.</output>
          <a
            {...buttonProps({ tone: 'secondary' })}
            href={`mailto:${product.supportEmail}?subject=${encodeURIComponent(search.trim())}`}
          >
            Ask Support
          </a>
        </>
      ) : (
        <output>{found.closest ? 'The closest answers' : countOf(topics.length)}</output>
      )}
      <Questions topics={topics} found={found} />
    </div>
  );
}

const countOf = (number: number) => (number === 1 ? '1 answer' : `${number} answers`);

const DESCRIPTION =
  'The app’s window with a selected sentence, three commands, of which Find the question is chosen, and two contexts. Below are the keys Command and G.';

const Picture = () => (
  // An image made of HTML.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div className={styles.Picture} role="img" aria-label={DESCRIPTION}>
    <Overlay>
      <Selection>Could we perhaps find a moment on Thursday?</Selection>
      <Commands of={['Find the question', 'Halve it', 'Say it plainly']} chosen={0} />
      <Contexts of={['To a customer', 'Brief']} chosen={['Brief']} />
    </Overlay>
    <Keys of={['⌘', 'G']} />
  </div>
);

/** The address's fragment, and a function that reads it after `replaceState`, which fires no event. */
function useHash(): [hash: string, readAgain: () => void] {
  // Renders again after a navigation of the router, which fires no event either.
  useLocation();
  const [, readAgain] = useReducer((count: number) => count + 1, 0);
  // The server never sees the fragment, and the first render in the browser has to match the server's.
  const hash = useSyncExternalStore(
    subscribeToHash,
    () => location.hash,
    () => '',
  );
  return [hash, readAgain];
}

function subscribeToHash(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

function Tabs({ selected, onChoose }: { selected: HelpTabId; onChoose: (tab: HelpTabId) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = helpTabs.findIndex(({ id }) => id === selected);
    const to: Record<string, number> = {
      ArrowRight: (at + 1) % helpTabs.length,
      ArrowLeft: (at + helpTabs.length - 1) % helpTabs.length,
      Home: 0,
      End: helpTabs.length - 1,
    };
    const next = helpTabs[to[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#${next.id}-tab`)?.focus();
  };
  const press = (event: MouseEvent, tab: HelpTabId) => {
    // With a modifier key the browser opens the link in a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose(tab);
  };
  return (
    <div ref={list} className={styles.Tabs} role="tablist" aria-label="Help">
      {helpTabs.map(({ id, label }) => (
        <a
          key={id}
          id={`${id}-tab`}
          href={`#${id}`}
          role="tab"
          data-label={label}
          aria-selected={id === selected}
          aria-controls={id}
          tabIndex={id === selected ? 0 : -1}
          onClick={(event) => press(event, id)}
          onKeyDown={move}
        >
          {label}
        </a>
      ))}
    </div>
  );
}
