import { useState } from 'react';
import { Link } from 'react-router-dom';
import { articles } from 'virtual:content/articles';
import type { ArticleSummary } from '../../../../schemas/content/front-matter.ts';
import { articleCategories } from '../../../../schemas/content/categories.ts';
import { ArticleDrawing } from '../../components/article-drawing.tsx';
import { FilterButtons } from '../../components/filter-buttons.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { longDate } from '../../plan/long-date.ts';
import styles from './articles.module.css';

const ALL = 'All';
const filters = [ALL, ...articleCategories] as const;
const listed = articles.filter((article) => article.listed);

export default function ArticlesPage() {
  const [chosen, setChosen] = useState<(typeof filters)[number]>(ALL);
  const shown = listed.filter(({ category }) => chosen === ALL || category === chosen);
  return (
    <PageLayout>
      <PageHeader title="Articles" lead="What we think about while making this, written out.">
        <p>
          <a href="/articles/rss.xml">Follow them in a feed reader</a>
        </p>
      </PageHeader>
      <FilterButtons label="Category" options={filters} chosen={chosen} onChoose={setChosen} />
      <output className="visuallyHidden">
        {shown.length === 1 ? '1 article' : `${shown.length} articles`}
      </output>
      {shown.length === 0 ? (
        <p className={styles.Empty} data-quiet>
          No articles are listed under {chosen} yet.
        </p>
      ) : (
        <ul>
          {shown.map((article) => (
            <Card key={article.id} article={article} />
          ))}
        </ul>
      )}
    </PageLayout>
  );
}

function Card({ article }: { article: ArticleSummary }) {
  const { id, title, excerpt, category, date, readTime, image } = article;
  return (
    <li className={styles.Card}>
      <ArticleDrawing name={image} />
      <div data-stack="3">
        <p data-facts>
          {category} · <time dateTime={date}>{longDate(date, 'UTC')}</time> · {readTime}
        </p>
        <h2>
          <Link to={`/articles/${id}`}>{title}</Link>
        </h2>
        <p>{excerpt}</p>
      </div>
    </li>
  );
}
