import { description } from '../../schemas/product/description.ts';
import { product } from '../../schemas/product/product.ts';

/** The facts in the picture for links, which it also has as text: the picture of others is outdated. */
export const drawnFacts = `${product.name}: ${product.tagline}. ${description}`;
