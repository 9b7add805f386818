import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { help } from 'virtual:content/help';
import { type HelpTabId, helpTabs } from '../../../../schemas/categories.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { useHydrated } from '../../start/hydrated.ts';
import styles from './help.module.css';
import { Topics } from './topics.tsx';

const FIRST = helpTabs[0].id;

/** The tab that an address names, as in `/help#faq`. */
const tabIn = (hash: string): HelpTabId | undefined => helpTabs.find(({ id }) => hash === `#${id}`)?.id;

export default function HelpPage() {
  const { key, hash } = useLocation();
  // The server never sees the hash, and the first render in the browser has to match the server's.
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<{ tab: HelpTabId; at: string } | null>(null);
  const addressed = (hydrated ? tabIn(hash) : undefined) ?? FIRST;
  // The user's choice holds until the next navigation.
  const selected = chosen?.at === key ? chosen.tab : addressed;
  const choose = (tab: HelpTabId) => {
    setChosen({ tab, at: key });
    // Not through the router, which would scroll to the panel and move the focus there.
    history.replaceState(history.state, '', `#${tab}`);
  };
  return (
    <PageLayout className={styles.Help} data-ready={hydrated}>
      <PageHeader title="Help" lead="How to begin, what to press, and whom to ask." />
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
    </PageLayout>
  );
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
