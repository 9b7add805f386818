import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { newestVersion } from 'virtual:content/download';
import { madeBy } from 'virtual:content/made-by';
import { product } from '../../../../schemas/product/product.ts';
import { DownloadLink } from '../download/download-link.tsx';
import { Mark } from '../mark.tsx';
import styles from './footer.module.css';
import { footerPages } from './navigation.ts';

const mailto = (subject?: string) =>
  `mailto:${product.supportEmail}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`;

export function Footer() {
  return (
    <footer className={styles.Footer}>
      <div className={styles.Inner}>
        <p className={styles.Tagline}>
          <Mark />
          {product.tagline}
        </p>
        <Column title="Product">
          <Pages pages={footerPages.product} />
          <DownloadLink plain />
          {newestVersion && <Link to="/changelog">What’s new in {newestVersion}</Link>}
        </Column>
        <Column title="Company">
          <Pages pages={footerPages.company} />
          <a href={mailto()}>Contact</a>
        </Column>
        <Column title="Privacy">
          <Pages pages={footerPages.privacy} />
          <a href={mailto('Request about my data')}>Data requests</a>
        </Column>
        <p className={styles.Copyright} data-facts>
          © {product.copyrightYear} {product.name}. All rights reserved. {madeBy}
        </p>
      </div>
    </footer>
  );
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav className={styles.Column} aria-label={title}>
      <h2 data-plain>{title}</h2>
      {children}
    </nav>
  );
}

const Pages = ({ pages }: { pages: (typeof footerPages)['product'] }) =>
  pages.map(({ label, to }) => (
    <Link key={to} to={to}>
      {label}
    </Link>
  ));
