import { useRef } from 'react';
import { Link } from 'react-router-dom';
import type { LegalDocument } from '../../../../schemas/content/front-matter.ts';
import { longDate } from '../../plan/long-date.ts';
import { PageHeader } from '../page/page-header.tsx';
import { PageLayout } from '../page/page-layout.tsx';
import { Prose } from '../prose.tsx';
import styles from './legal-page.module.css';
import { useSectionInView } from './section-in-view.ts';

export function LegalPage({ document }: { document: LegalDocument }) {
  const { title, effective, version, content, sections } = document;
  const current = useSectionInView(sections.map(({ slug }) => slug));
  const menu = useRef<HTMLDetailsElement>(null);
  const reading = sections.findIndex(({ slug }) => slug === current);
  return (
    <PageLayout className={styles.Legal}>
      <PageHeader title={title} className={styles.Head}>
        <p className={styles.Facts} data-quiet>
          Effective <time dateTime={effective}>{longDate(effective, 'UTC')}</time>{' '}
          <span>Version {version}</span>
        </p>
        <Prose html={content} size="large" />
      </PageHeader>

      {/* In a narrow window, the contents fold into a line with the section in view. */}
      <details className={styles.Folded} ref={menu}>
        <summary>
          Contents
          {reading >= 0 && (
            <span>
              {reading + 1}. {sections[reading]?.title}
            </span>
          )}
        </summary>
        <Contents
          sections={sections}
          current={current}
          onChosen={() => {
            if (menu.current) menu.current.open = false;
          }}
        />
      </details>
      <aside className={styles.Aside}>
        <h2 className={styles.ContentsTitle} data-plain>
          Contents
        </h2>
        <Contents sections={sections} current={current} />
      </aside>

      <div className={styles.Sections}>
        {sections.map(({ slug, ...section }, index) => (
          <section key={slug} id={slug} data-stack="4" aria-labelledby={`${slug}-title`}>
            <h2 id={`${slug}-title`}>
              <span className={styles.Number}>{index + 1}.</span> {section.title}
            </h2>
            <Prose html={section.content} />
          </section>
        ))}
      </div>
    </PageLayout>
  );
}

interface ContentsProps {
  sections: LegalDocument['sections'];
  current: string | null;
  onChosen?: () => void;
}

function Contents({ sections, current, onChosen }: ContentsProps) {
  return (
    <nav className={styles.Contents} aria-label="Contents">
      <ol>
        {sections.map(({ slug, title }, index) => (
          <li key={slug}>
            <Link
              to={{ hash: slug }}
              aria-current={slug === current ? 'location' : undefined}
              onClick={onChosen}
            >
              <span className={styles.Number}>{index + 1}.</span> {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
