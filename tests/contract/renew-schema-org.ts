/**
 * Writes tests/fixtures/repository/schema-org.json, the part of schema.org's vocabulary that the site's
 * structured data use, and are held against:
 * `node tests/contract/renew-schema-org.ts <schemaorg-all-https.jsonld> <release> <commit>`.
 * The file is `data/releases/<release>/schemaorg-all-https.jsonld` of https://github.com/schemaorg/schemaorg at
 * that commit. Run `npm run format` afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type Vocabulary, vocabularyFile } from '../fixtures/repository/schema-org.ts';

/** The types that a page of the site may describe. Their ancestors are kept too. */
const TYPES = [
  'Answer',
  'Article',
  'FAQPage',
  'ImageObject',
  'Offer',
  'Organization',
  'Person',
  'Question',
  'SoftwareApplication',
  'WebSite',
];

/** The site's structured data. Properties that it doesn't name are left out. */
const named = new Set(readFileSync('web/build/structured-data.ts', 'utf8').match(/\w+/g));

const Reference = z.object({ '@id': z.string() });
const References = z.optional(z.union([Reference, z.array(Reference)]));
const Term = z.object({
  '@id': z.string(),
  '@type': z.union([z.string(), z.array(z.string())]),
  'rdfs:subClassOf': References,
  'schema:domainIncludes': References,
  'schema:rangeIncludes': References,
  'schema:supersededBy': References,
});

const [file, release, commit] = process.argv.slice(2);
if (!file || !release || !commit) throw new Error('Name the file, its release and the commit.');
const { '@graph': graph } = z
  .object({ '@graph': z.array(Term) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

const nameOf = (id: string): string => id.replace('schema:', '');
const namesOf = (references: z.infer<typeof References>): string[] =>
  [references ?? []].flat().map((reference) => nameOf(reference['@id']));

const vocabulary: Vocabulary = {
  source: `data/releases/${release}/schemaorg-all-https.jsonld of https://github.com/schemaorg/schemaorg at ${commit}`,
  licence: 'CC BY-SA 3.0, https://schema.org/docs/terms.html',
  types: {},
  properties: {},
};
const waiting = [...TYPES];
for (const type of waiting) {
  const parents = namesOf(graph.find((term) => nameOf(term['@id']) === type)?.['rdfs:subClassOf']);
  vocabulary.types[type] = parents;
  waiting.push(...parents);
}
for (const term of graph) {
  const of = namesOf(term['schema:domainIncludes']).filter((type) => vocabulary.types[type]);
  if (of.length === 0 || term['schema:supersededBy'] || !named.has(nameOf(term['@id']))) continue;
  vocabulary.properties[nameOf(term['@id'])] = { of, values: namesOf(term['schema:rangeIncludes']) };
}
writeFileSync(vocabularyFile, JSON.stringify(vocabulary));
