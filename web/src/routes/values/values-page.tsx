import { owner } from 'virtual:content/owner';
import { paidNames } from '../../../../schemas/product/offers.ts';
import { limits, product } from '../../../../schemas/product/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { FeatureList } from '../../components/feature-list.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { Compare } from './compare.tsx';
import styles from './values.module.css';
import { YourText } from './your-text.tsx';

const values = [
  {
    name: 'Transparency',
    saying: 'Say what happens, the less flattering parts included.',
    text: `When you press Command+G, the text you highlighted leaves your computer and is processed by AI providers. It would be easy to leave that unsaid. We say it on the home page, in the policy and in an article, since you can only decide what to highlight if you know where it goes.`,
    follows: [
      'Personal data is not sold.',
      'We announce a change of price at least 30 days ahead.',
      'If personal data is breached, we give notice within 72 hours.',
    ],
  },
  {
    name: 'Care',
    saying: 'Treat every sentence as if someone meant it.',
    text: `Most of what people write is small: a reply, a note, a line under a document. Small things are where carelessness shows first. So the assistant comes to where you are writing, keeps to what you asked for, and changes no more than that.`,
    follows: [
      'We send no marketing email.',
      'We answer a request about your data within one month.',
      `The free plan includes unlimited commands and contexts, and ${limits.freeRequestsPerDay}\u00a0AI\u00a0requests a day.`,
    ],
  },
  {
    name: 'Human First',
    saying: 'The taste is yours; the typing needn’t be.',
    text: `A text that anyone could have written reads as if nobody had. We would rather you sounded a little odd and entirely like yourself. That is why the commands and contexts are yours to write, and why nothing is sent, rewritten or replaced before you ask for it.`,
    follows: [
      'You define the commands and the contexts.',
      'What you write stays yours.',
      `You can cancel ${paidNames} on one page, without giving a reason.`,
    ],
  },
] as const;

export default function ValuesPage() {
  return (
    <PageLayout className={styles.Values}>
      <PageHeader
        className={styles.Head}
        title="Our Values"
        lead={`${product.name} promises one thing: ${product.tagline}. Three values keep that from being a slogan. Each comes with promises you can hold us to.`}
      />
      {values.map(({ name, saying, text, follows }) => (
        <section key={name} className={styles.Beside} aria-labelledby={idOf(name)}>
          <h2 id={idOf(name)}>{name}</h2>
          <div className={styles.Meaning} data-stack="5">
            <p className={styles.Saying}>{saying}</p>
            <p>{text}</p>
            <FeatureList features={follows} />
          </div>
        </section>
      ))}
      <YourText />
      <Compare />
      {owner.maker && (
        <section className={styles.Beside} aria-labelledby="maker">
          <h2 id="maker">Who is behind {product.name}</h2>
          <div className={styles.Meaning} data-stack="5">
            <p>
              {owner.maker} You can write to{' '}
              <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>.
            </p>
          </div>
        </section>
      )}
      <CallToAction
        aria-labelledby="closing"
        actions={
          <>
            <DownloadLink />
            <ButtonLink to="/privacy" tone="secondary">
              Read the Privacy Policy
            </ButtonLink>
          </>
        }
      >
        <div>
          <h2 id="closing">You’ll find out the rest by using it</h2>
          <p>The wording that binds us is in the policy.</p>
        </div>
      </CallToAction>
    </PageLayout>
  );
}

const idOf = (name: string) => name.toLowerCase().replace(' ', '-');
