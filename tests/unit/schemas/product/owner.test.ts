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
    textAtProviders: 'AI providers keep the text for at most 30 days.',
    training: 'Nobody trains models on the text.',
    ourServers: 'On its way, the text passes through our own servers, which do not keep it.',
    aiMarking: 'The app marks nothing.',
    system: 'macOS 14 or later, on Macs with Apple silicon or Intel',
    macOS: 'It runs on macOS 14 or later, on Macs with Apple silicon or Intel.',
    processors: '- **Stripe** (United States): payment',
  });
});

test('whatever the owner has not said is called unknown, and nothing is invented', () => {
  expect(unknownsOf(unknown)).toHaveLength(Object.keys(readyOwner).length - 1);
  const { system, madeBy, ...sentences } = ownerText(unknown);
  expect(system).toBe('macOS');
  expect(madeBy).toBe('');
  for (const sentence of Object.values(sentences))
    expect(sentence).toMatch(/not (?:named|stated) here yet\.$/);
});

test('a maker is named only with the address and the country', () => {
  for (const part of ['company', 'address', 'country'] as const) {
    expect(ownerText({ ...readyOwner, [part]: null }).maker).toMatch(/not named here yet/);
  }
});

test('processors whose names are missing are missing in words', () => {
  const { processors } = ownerText({ ...readyOwner, otherProcessors: null });
  expect(processors).toBe('- **Stripe** (United States): payment\n\nOthers are not named here yet.');
});
