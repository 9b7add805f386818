import { describe, expect, test } from 'vitest';
import { readSynonyms, readTemplates } from '../../../../../../web/build/content.ts';
import { templateSummary, templateWords } from '../../../../../../web/build/content-plugin.ts';
import {
  ALL,
  choiceIn,
  commandFor,
  EVERYTHING,
  nothingFound,
  queryFor,
  shownIn,
} from '../../../../../../web/src/routes/templates/find-templates.ts';
import { templateIndex } from '../../../../../../web/src/routes/templates/template-index.ts';

const templates = readTemplates().map(templateSummary);
const search = templateIndex(readTemplates().map(templateWords), readSynonyms());

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
  // Searches that people type, by the template that is first for them.
  const natural = {
    announcements:
      'seo, press release, newsletter, subject line, linkedin post, marketing, product launch, ad, instagram caption, tweet, landing page copy, slogan',
    'bug-reports': 'bugs, bug report, log, stack trace, debugging, bug',
    'code-review':
      'code review, commit message, pull request, github, missing tests, refactor, programming, git commit',
    'contract-reading': 'contract, legal, lawyer, nda, lease agreement, clauses, terms of service',
    'english-as-a-second-language': 'polite, esl, british english, politeness, make it sound natural',
    'everyday-writing':
      'friendlier tone, friendly, bullet points, eli5, tl;dr, tldr, brainstorm, outline, title, expand, table, presentation, professional, more formal, longer, simplify, rewrite, summarise, summarize, summary, make it shorter, shorten, concise, summarise an article, translate, translation, translate to german, spanish, rephrase, paraphrase, improve, improve my writing, clearer, tone, reply to an email, explain this, slack, translate into japanese, grammar, fix the grammar, spelling, proofread, typos, brainstorm ideas, grammer, translate to spanish, translate german, proof read, spell check, fix my english, less formal, shorter, too long, make it clearer, bullet list',
    feedback: 'email to boss, performance review, feedback, difficult conversation, manager',
    'interface-text': 'ux writing, error message, button text, microcopy, ux copy, button labels',
    interviews: 'user research, survey',
    'job-applications':
      'cover letter, resume, cv, job application, recommendation letter, linkedin, interviewing, write a letter, ask for a raise, resignation letter, thank you email after interview, interview questions, reference letter',
    'meeting-notes':
      'meeting notes, minutes, action items, agenda, transcript of a call, todo, meeting minutes, weekly status update',
    'news-desk': 'headline, fact check, journalist',
    'notes-to-people':
      'apologise, apologize, apology, thank you note, out of office, congratulations, condolences, speech, decline invitation, say no politely, birthday wishes, wedding invitation',
    outreach:
      'cold email, follow up email, product description, invoice reminder, sales pitch, email, E-mails, linkedin message, chasing a late payment',
    'paper-reading': 'abstract, citations, peer review, abstract of a paper',
    'plain-words-for-patients': 'patient letter, doctor, medical, lab results, discharge letter',
    'second-reader': 'story, novel, dialogue, short story, creative writing, chapter, poem',
    'study-partner':
      "explain like i'm five, lesson plan, homework, quiz me, exam, student essay, essay feedback, study guide, flash cards",
    'support-replies':
      'reply, customer service, complaint, refund, support ticket, angry customer, replies, complaint letter',
    'tests-and-documentation':
      'regex, sql, unit tests, documentation, user story, release notes, explain this code, write tests for this function, readme, docstring',
  };

  test.each(Object.entries(natural))('finds %s first', (id, queries) => {
    const first = queries.split(', ').map((query) => `${query}: ${search(query).ids[0]}`);
    expect(first).toEqual(queries.split(', ').map((query) => `${query}: ${id}`));
  });

  test.each([
    ['a command', 'find the risk', 'code-review'],
    ['a context', 'angry, with reason', 'support-replies'],
    ['a category', 'journalism', 'news-desk'],
    ['capitals, in any order', 'QUOTE Touching', 'news-desk'],
    ['straight apostrophes', "hasn't been asked", 'news-desk'],
    ['letters with accents', 'réview', 'code-review'],
    ['a slip', 'condolances', 'notes-to-people'],
  ])('takes %s', (_, text, id) => {
    expect(search(text).ids).toContain(id);
  });

  test('shows the closest where nothing has every word, and says so', () => {
    expect(search('contract feedback')).toMatchObject({ closest: true });
    expect(search('contract feedback').ids.slice(0, 2).toSorted()).toEqual(['contract-reading', 'feedback']);
    expect(search('friendlier tone').closest).toBe(false);
  });

  test('marks what it found', () => {
    expect(search('summarising').piecesOf('A summary, for you')).toEqual(['A ', 'summary', ', for you']);
    expect(search('emails').piecesOf('An email')).toEqual(['An ', 'email', '']);
  });

  test('finds beginnings of words, not ends', () => {
    expect(search('journ').ids).toContain('news-desk');
    expect(search('nalist').ids).toEqual([]);
  });

  test('is narrowed to a category, and says how many are elsewhere', () => {
    const choice = { category: 'Medical', search: 'contract' } as const;
    expect(shownIn(templates, 'Medical', search('contract'))).toEqual([]);
    expect(nothingFound(templates, choice, search('contract'))).toEqual({
      text: 'Nothing in Medical matches “contract”.',
      instead: ['Search in All Templates (1)', { category: ALL, search: 'contract' }],
    });
    expect(nothingFound(templates, { category: ALL, search: 'zither' }, search('zither')).text).toBe(
      'Nothing matches “zither”.',
    );
  });
});

test('a search becomes a command as the app takes it: a name, a colon and an instruction, in one line', () => {
  expect(commandFor(' youtube:\n script ')).toMatch(/^Youtube script: Turn [^\n]+“youtube script”[^\n]+\.$/);
});
