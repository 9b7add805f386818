import { product } from '../../../../schemas/product/product.ts';
import type { HelpTabId } from '../../../../schemas/content/categories.ts';
import type { HelpTopic } from '../../../../schemas/content/front-matter.ts';
import { buttonProps } from '../../components/button.tsx';
import { Marked } from '../../components/search/marked.tsx';
import type { Found } from '../../components/search/text-index.ts';
import { Prose } from '../../components/prose.tsx';
import styles from './help.module.css';

export function Topics({ tab, topics }: { tab: HelpTabId; topics: readonly HelpTopic[] }) {
  switch (tab) {
    case 'getting-started':
      return (
        <ol className={styles.Steps}>
          {topics.map(({ slug, title, content }) => (
            <li key={slug} data-stack="3">
              <h2>{title}</h2>
              <Prose html={content} />
            </li>
          ))}
        </ol>
      );
    case 'shortcuts':
      return (
        <ul className={styles.Shortcuts}>
          {topics.map((topic) => (
            <Shortcut key={topic.slug} topic={topic} />
          ))}
        </ul>
      );
    case 'faq':
      return <Questions topics={topics} />;
    default:
      return (
        <div className={styles.Contact} data-stack="6">
          {topics.map(({ slug, title, content }) => (
            <section key={slug} data-stack="3" aria-labelledby={`contact-${slug}`}>
              <h2 id={`contact-${slug}`}>{title}</h2>
              <Prose html={content} />
            </section>
          ))}
          <a {...buttonProps()} href={`mailto:${product.supportEmail}`}>
            Contact Support
          </a>
        </div>
      );
  }
}

/** Questions that unfold. `found`: the words that are marked. */
export const Questions = ({ topics, found }: { topics: readonly HelpTopic[]; found?: Found }) => (
  <div className={styles.Questions}>
    {topics.map(({ slug, title, content }) => (
      <details key={slug}>
        {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- The text is in Marked. */}
        <summary>
          <h2>
            <Marked found={found}>{title}</Marked>
          </h2>
        </summary>
        <Prose html={content} />
      </details>
    ))}
  </div>
);

function Shortcut({ topic: { title, keys = [], content } }: { topic: HelpTopic }) {
  return (
    <li>
      <p className={styles.Keys}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </p>
      <div data-stack="2">
        <h2>{title}</h2>
        <Prose html={content} />
      </div>
    </li>
  );
}
