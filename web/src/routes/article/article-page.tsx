import { Link, useLocation } from 'react-router-dom';
import { articles } from 'virtual:content/articles';
import { texts } from 'virtual:content/article-texts';
import type { ArticleSummary } from '../../../../schemas/content/front-matter.ts';
import { ArticleDrawing } from '../../components/article-drawing.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { Prose } from '../../components/prose.tsx';
import { longDate } from '../../plan/long-date.ts';
import styles from './article.module.css';

const loaded = new Map<number, string>();

const articleAt = (path: string) => articles.find(({ id }) => path === `/articles/${id}`);

/** The listed article that is older, or the newest. */
function nextTo(article: ArticleSummary): ArticleSummary | undefined {
  const listed = articles.filter(({ listed: isListed, id }) => isListed && id !== article.id);
  return listed.find(({ date }) => date < article.date) ?? listed[0];
}

/** Loads the text of the article at an address, so that the page renders without suspending. */
export async function prepare(path: string): Promise<void> {
  const article = articleAt(path);
  const answer = article && (await texts[article.id]?.());
  if (answer) loaded.set(article.id, answer.text);
}

export default function ArticlePage() {
  const { pathname } = useLocation();
  const article = articleAt(pathname);
  const text = article && loaded.get(article.id);
  const back = (
    <ButtonLink to="/articles" tone="secondary">
      Back to Articles
    </ButtonLink>
  );
  if (!article || text === undefined) {
    return (
      <Message
        title="Article Not Found"
        lead="Sorry, we couldn't find the article you're looking for."
        actions={back}
      />
    );
  }
  const next = nextTo(article);
  const { title, excerpt, author, authorBio, category, date, readTime, image } = article;
  return (
    <PageLayout as="article" className={styles.Article}>
      <PageHeader
        facts={
          <p data-facts>
            {category} · <time dateTime={date}>{longDate(date, 'UTC')}</time> · {readTime}
          </p>
        }
        title={title}
        lead={<span data-quiet>{excerpt}</span>}
      />
      <ArticleDrawing name={image} />
      <Prose html={text} size="large" />
      <footer className={styles.Foot} data-stack="5">
        <p>
          <strong>{author}</strong>
          <br />
          {authorBio}
        </p>
        {next && (
          <p>
            Read next: <Link to={`/articles/${next.id}`}>{next.title}</Link>
          </p>
        )}
        {back}
      </footer>
    </PageLayout>
  );
}
