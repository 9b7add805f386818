import { describe, expect, test } from 'vitest';
import { readTemplates } from '../../../../../../web/build/content.ts';
import { templateSummary } from '../../../../../../web/build/content-plugin.ts';
import {
  ALL,
  choiceIn,
  EVERYTHING,
  found,
  nothingFound,
  queryFor,
} from '../../../../../../web/src/routes/templates/find-templates.ts';

const templates = readTemplates().map(templateSummary);
const idsOf = (search: string, category: 'Medical' | typeof ALL = ALL) =>
  found(templates, { category, search }).map(({ id }) => id);

describe('the address of the gallery', () => {
  test('names the category and the search, and neither for all templates', () => {
    expect(queryFor({ category: 'Research', search: ' study & mark ' })).toBe(
      '?category=Research&search=study+%26+mark',
    );
    expect(queryFor(EVERYTHING)).toBe('');
  });

  test('gives the choice back', () => {
    const choice = { category: 'Medical', search: 'naïve “why?”' } as const;
    expect(choiceIn(queryFor(choice))).toEqual(choice);
  });

  test('shows all templates for a category that isn’t there', () => {
    expect(choiceIn('?category=Gardening&other=1')).toEqual(EVERYTHING);
  });
});

test('a gallery or a category without templates says so in the product’s words', () => {
  expect(nothingFound([], EVERYTHING)).toEqual({
    title: 'No templates available yet',
    text: "We're working on creating amazing templates for you. Check back soon!",
  });
  expect(nothingFound([], { category: 'Medical', search: '' })).toEqual({
    text: 'No templates available in the Medical category yet.',
    instead: ['Show All Templates', EVERYTHING],
  });
});

describe('the search', () => {
  test('leaves nothing out without words', () => {
    expect(idsOf('  ')).toHaveLength(templates.length);
  });

  test.each([
    ['a command', 'find the risk', 'code-review'],
    ['a context', 'angry, with reason', 'support-replies'],
    ['a category', 'journalism', 'news-desk'],
    ['capitals, in any order', 'QUOTE Touching', 'news-desk'],
    ['straight apostrophes', "hasn't been asked", 'news-desk'],
    ['letters with accents', 'réview', 'code-review'],
  ])('takes %s', (_, search, id) => {
    expect(idsOf(search)).toContain(id);
  });

  // Useful templates, with what people type to find one.
  const natural = {
    'everyday-writing':
      'make it shorter, shorten, concise, summarize, summary, summarise an article, tldr, translate, translation, translate to german, spanish, rewrite, rephrase, paraphrase, improve, improve my writing, clearer, simplify, tone, email, E-mails, reply to an email, friendly, explain this, slack, translate into japanese',
    'everyday-writing english-as-a-second-language': 'grammar, fix the grammar, spelling, proofread, typos',
    'english-as-a-second-language': 'polite, professional, more formal, esl, british english, politeness',
    'support-replies':
      'customer service, complaint, apology, apologize, refund, support ticket, angry customer, replies',
    'code-review': 'code review, commit message, pull request, github, missing tests, refactor, programming',
    'bug-reports': 'bugs, bug report, log, stack trace, debugging',
    'contract-reading': 'contract, legal, lawyer, nda, lease agreement, clauses',
    'meeting-notes': 'meeting notes, minutes, action items, agenda, transcript of a call, todo',
    announcements:
      'press release, newsletter, subject line, linkedin, linkedin post, marketing, product launch, ad',
    feedback: 'performance review, feedback, difficult conversation, manager',
    'interface-text': 'ux writing, error message, button text, microcopy',
    interviews: 'user research, interviewing, survey',
    'news-desk': 'headline, fact check, journalist',
    'paper-reading': 'abstract, citations, peer review',
    'plain-words-for-patients': 'patient letter, doctor, medical',
    'second-reader': 'novel, dialogue, short story, creative writing',
    'study-partner': 'homework, quiz me, exam, student essay',
    none: 'resume, cover letter, brainstorm ideas, presentation',
  };

  test('has something useful among the first three for nearly all natural queries', () => {
    const queries = Object.entries(natural).flatMap(([ids, list]) =>
      list.split(', ').map((query) => ({ query, ids: ids.split(' ') })),
    );
    const failed = queries.filter(
      ({ query, ids }) =>
        !idsOf(query)
          .slice(0, 3)
          .some((id) => ids.includes(id)),
    );
    expect(failed.map(({ query }) => query)).toEqual([
      'resume',
      'cover letter',
      'brainstorm ideas',
      'presentation',
    ]);
    expect(queries.length).toBeGreaterThan(90);
  });

  test('ranks a command’s name and words in several places first, and matches the beginnings of words alone', () => {
    for (const search of ['summarize', 'translate', 'email'])
      expect(idsOf(search)[0]).toBe('everyday-writing');
    expect(idsOf('nalist')).toEqual([]);
  });

  test('needs every word, within the category', () => {
    expect(idsOf('contract feedback')).toEqual([]);
    expect(idsOf('letter', 'Medical')).toEqual(['plain-words-for-patients']);
    expect(idsOf('contract', 'Medical')).toEqual([]);
  });
});
