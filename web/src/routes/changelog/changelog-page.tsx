import { releases } from 'virtual:content/changelog';
import { product } from '../../../../schemas/product/product.ts';
import { CallToAction } from '../../components/call-to-action.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { Prose } from '../../components/prose.tsx';
import { longDate } from '../../plan/long-date.ts';
import styles from './changelog.module.css';

export default function ChangelogPage() {
  return (
    <PageLayout className={styles.Changelog}>
      <PageHeader
        title="Changelog"
        lead={
          <>
            What changed in each version of {product.name} for Mac, newest first.{' '}
            <a href="/changelog/rss.xml">Follow it as a feed</a>.
          </>
        }
      />
      {releases.map(({ version, date, system, size, url, sha256, content }) => (
        <section key={version} id={version} className={styles.Release} aria-labelledby={`title-${version}`}>
          <div className={styles.Facts} data-facts>
            <h2 id={`title-${version}`}>{version}</h2>
            <p>
              <time dateTime={date}>{longDate(date, 'UTC')}</time>
            </p>
            {system && <p>Needs {system}</p>}
            {url && (
              <p>
                <a href={url}>Disk image</a>
                {size && `, ${size}`}
              </p>
            )}
          </div>
          <div className={styles.Changes} data-stack="5">
            <Prose html={content} />
            {sha256 && (
              <p data-facts>
                SHA-256 of the disk image: <code>{sha256}</code>
              </p>
            )}
          </div>
        </section>
      ))}
      <CallToAction aria-labelledby="closing" actions={<DownloadLink />}>
        <h2 id="closing">Installed apps tell you about updates by themselves</h2>
      </CallToAction>
    </PageLayout>
  );
}
