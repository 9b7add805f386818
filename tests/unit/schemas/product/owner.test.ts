import { expect, test } from 'vitest';
import { Owner, ownerText, unknownsOf } from '../../../../schemas/product/owner.ts';
import { readyOwner } from '../../../fixtures/aws/ready-owner.ts';

const nulls = Object.fromEntries(Object.keys(readyOwner).map((setting) => [setting, null]));
const unknown = Owner.parse({ ...nulls, processors: [] });

test('an owner who has said everything is quoted in sentences', () => {
  expect(unknownsOf(readyOwner)).toEqual([]);
  expect(ownerText(readyOwner)).toEqual({
    maker: 'Selfsame is made and sold by Example, Inc., 1 Main Street, Dover, Delaware 19901, United States.',
    law: 'The governing law is that of the State of Delaware, United States.',
    arbitration:
      'The arbitration takes place in Dover, Delaware, under the rules of the American Arbitration Association.',
    madeBy: 'Made and sold by Example, Inc., United States.',
    providerNames: 'They are Example AI.',
    aiProviders: '- **Example AI** (United States): analysis and rewriting',
    models: 'The answers come from Example 5.',
    textAtProviders: 'AI providers keep the text for at most 30 days.',
    training: 'Nobody trains models on the text.',
    ourServers: 'On its way, the text passes through our own servers, which do not keep it.',
    aiMarking: 'The app marks nothing.',
    system: 'macOS 14 or later, on Macs with Apple silicon or Intel',
    macOS: 'It runs on macOS 14 or later, on Macs with Apple silicon or Intel.',
    processors: '- **Stripe** (United States): payment',
    unpublished: { text: '', values: '', privacy: '', terms: '' },
  });
});

test('what the owner has not said is named in one sentence, and nothing is invented', () => {
  expect(unknownsOf(unknown)).toHaveLength(Object.keys(readyOwner).length - 1);
  const { system, unpublished, ...sentences } = ownerText(unknown);
  expect(system).toBe('macOS');
  expect(Object.values(sentences).join('')).toBe('');
  expect(unpublished.text).toBe(
    'We haven’t published this yet: who the AI providers are, whether your text passes through our own servers, how long AI providers keep it, and whether models are trained on it.',
  );
});

test('a maker is named only with the address and the country', () => {
  for (const part of ['company', 'address', 'country'] as const) {
    const { maker, unpublished } = ownerText({ ...readyOwner, [part]: null });
    expect(maker).toBe('');
    expect(unpublished.terms).toBe('We haven’t published this yet: who makes and sells Selfsame.');
  }
});
