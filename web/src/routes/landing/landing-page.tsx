import { Link } from 'react-router-dom';
import { free, isPaid, mainOffer, offersOf, planNames, plans } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { hasPage } from '../../pages/pages.ts';
import { Closing } from './closing.tsx';
import { Features } from './features.tsx';
import { HeroPicture } from './hero-picture.tsx';
import styles from './landing.module.css';

export default function LandingPage() {
  return (
    <>
      <Hero />
      <Features />
      <Plans />
      <Closing>
        <DownloadLink size="large" />
      </Closing>
    </>
  );
}

function Hero() {
  const words = product.tagline.split(' ');
  return (
    <section>
      <div className={styles.Pitch}>
        <h1 className={styles.Tagline}>
          {words.slice(0, -2).join(' ')}{' '}
          <span className={styles.Selected}>
            <i />
            <span>{words.slice(-2).join(' ')}</span>
          </span>
        </h1>
        <div className={styles.Words} data-stack="5">
          <p className={styles.Lead}>
            Highlight words in any app or website, press <kbd>Command+G</kbd>,{' '}
            {`and ${product.name} rewrites, shortens or explains them, in the tone you choose. Free to start, no card needed. Unlimited for ${mainOffer.price} ${mainOffer.period}.`}
          </p>
          <div className={styles.Actions} data-actions>
            <DownloadLink size="large" />
            {hasPage('/waitlist') && (
              <ButtonLink to="/waitlist" tone="secondary" size="large">
                Windows Waitlist
              </ButtonLink>
            )}
          </div>
          <p className={styles.Text}>
            Your text goes to AI providers.{' '}
            <Link to={`${product.valuesPath}#your-text`}>What happens to it</Link>
          </p>
        </div>
      </div>
      <HeroPicture />
    </section>
  );
}

function Plans() {
  return (
    <section className={styles.Plans} data-below-fold aria-labelledby="plans">
      <h2 id="plans">Start with the free plan.</h2>
      <ButtonLink to="/pricing" tone="secondary">
        Compare the plans
      </ButtonLink>
      <dl>
        {planNames.map((plan) => (
          <div key={plan}>
            <dt>{plans[plan].name}</dt>
            {(isPaid(plan) ? offersOf(plan) : [free]).map(({ price, period }) => (
              <dd key={period} className={styles.Price}>
                {price} <span>{period}</span>
              </dd>
            ))}
            <dd>
              <ul>
                {plans[plan].features.map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
