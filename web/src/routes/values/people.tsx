import { owner } from 'virtual:content/owner';
import { people } from 'virtual:content/people';
import { product } from '../../../../schemas/product/product.ts';
import { Prose } from '../../components/prose.tsx';
import styles from './people.module.css';

/** The maker of the product, and the people behind it, if the content names any. */
export function People() {
  return (
    <section className={styles.People} aria-labelledby="people">
      <h2 id="people">Who is behind {product.name}</h2>
      <p className={styles.Maker}>
        {owner.maker} You can write to <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>.
      </p>
      <ul>
        {people.map(({ name, role, photo, content }) => (
          <li key={name}>
            {photo && <img src={photo} alt={name} width={112} height={112} loading="lazy" />}
            <h3>{name}</h3>
            <p>{role}</p>
            <Prose html={content} />
          </li>
        ))}
      </ul>
    </section>
  );
}
