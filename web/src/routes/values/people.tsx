import { people } from 'virtual:content/people';
import { product } from '../../../../schemas/product.ts';
import { Prose } from '../../components/prose.tsx';
import styles from './people.module.css';

/** The people behind the product. Nothing if the content names nobody. */
export function People() {
  if (people.length === 0) return null;
  return (
    <section className={styles.People} aria-labelledby="people">
      <h2 id="people">Who is behind {product.name}</h2>
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
