import { Card } from '../../components/card.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { SettingsHeader } from './settings-header.tsx';
import styles from './settings.module.css';

const CARDS = {
  Account: ['name', 'address', 'ways-in'],
  'Security and data': ['sessions', 'data', 'deletion'],
};

export default function SettingsWaiting() {
  return (
    <PageLayout>
      <SettingsHeader />
      <output className="visuallyHidden">Loading</output>
      {Object.entries(CARDS).map(([title, settings]) => (
        <Card key={title} title={title}>
          <div>
            {settings.map((name) => (
              <div key={name} className={styles.Setting} data-stack="4">
                <Skeleton width="60%" height="3.25rem" />
              </div>
            ))}
          </div>
        </Card>
      ))}
    </PageLayout>
  );
}
