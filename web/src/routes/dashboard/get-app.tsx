import { product } from '../../../../schemas/product/product.ts';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { Card } from './card.tsx';
import styles from './get-app.module.css';

/** The next step of a user who has an account: the app, and the first thing to do with it. */
export const GetApp = () => (
  <Card title="Get the app">
    <div className={styles.Step}>
      <p className={styles.First}>
        Highlight words in any app or website and press <kbd>Command+G</kbd>. {product.name} asks what to do
        with them, or runs the command you selected.
      </p>
      <div className={styles.Download}>
        <DownloadLink tone="secondary" />
      </div>
    </div>
  </Card>
);
