// The book that a new shop shows until the author has published their own: the default of the book's document.
import { readFileSync } from 'node:fs'
import type { BookDocument } from '#contract/book/book.ts'
import { book } from './book.ts'
import { legalPages } from './legal-pages.ts'

const replyTime = '2-3 business days'

function readChapter(name: string, number: number | null) {
  const file = new URL(import.meta.resolve(`#content/edition/${name}.md`))
  const [heading = '', ...rest] = readFileSync(file, 'utf8').split('\n')
  return { number, title: heading.replace(/^# /, ''), text: rest.join('\n').trim() }
}

export const sampleBook: BookDocument = {
  title: book.titlePattern,
  product: book.product,
  subtitle: book.subtitle,
  description: book.description,
  description_title: '',
  language: book.language,
  author: { name: book.author.name, biography: '', portrait: null, email: null },
  isbns: { digital: '', paperback: '', hardcover: '' },
  pages: { digital: 0, paperback: 0, hardcover: 0 },
  publisher: '',
  published_on: '',
  cover: null,
  looks: {
    palette: 'parchment',
    accent: null,
    cover_colors: null,
    uses_cover_colors: false,
  },
  rating: { stars: 4.9, source: '' },
  refund_days: 30,
  words_title: 'The {product}',
  words: book.words.map(({ word, line }) => ({ word, line })),
  words_have_own_numbers: false,
  blueprint: {
    title: 'A blueprint for faith',
    lead: 'Two houses can look alike from the road. What tells them apart when the storm comes lies underneath, where no visitor ever looks.',
    text: 'This book is about what lies underneath: nine words of Scripture, in the order in which a life is built on them.',
    parts: [
      { takes: 1, title: 'The ground', line: 'Everything stands on what God has done.' },
      { takes: 1, title: 'The door', line: 'The only sensible answer to it.' },
      { takes: 4, title: 'The rooms', line: 'What a child may look for from such a Father.' },
      { takes: 2, title: 'The beams', line: 'For the long middle of the road.' },
      { takes: 1, title: 'The light', line: 'The reason for the first word, and for all.' },
    ],
  },
  preview: {
    chapters: [readChapter('00-introduction', null), readChapter('01-propitiation', 1)],
    after: 'Eight more words follow',
  },
  invitation: {
    title: 'A personal invitation',
    text: [
      'You need not be an expert to begin, nor feel particularly devout. You may have believed for fifty years, or be standing on the porch wondering whether anyone is home.',
      'Read one chapter a day, or one a week. Each ends with a prayer to pray or a question to carry into an ordinary Tuesday. Come as you are, and stay as long as you like.',
    ].join('\n\n'),
  },
  text: { title: '', text: '' },
  quotes: [],
  questions: [],
  claims: {
    refund: '{days}-day money-back guarantee',
    ships: 'Free shipping for physical items',
    pdf: 'Instant download and PDF for digital',
    no_pdf: 'Instant download for digital',
    digital: 'Lifetime access',
    bonus: 'Exclusive bonus for the bundle',
  },
  contact: {
    lead: 'A question, a correction, a story of your own: every message is read.',
    direct: {
      title: 'Write directly',
      line: `The form goes straight to the author. You will have an answer within ${replyTime}.`,
    },
    speaking: {
      is_shown: true,
      title: 'Invite the author to speak',
      line: 'Churches, retreats and reading groups are welcome to ask. Tell us the date, the place and who will be there.',
      subject: 'An invitation to speak',
    },
    reply_time: replyTime,
  },
  closing: {
    title: 'Nine words. One foundation.',
    line: 'Begin with the first of them tonight.',
  },
  packing_slip: {
    thanks: 'Thank you for your order. May these pages serve you well, and the one you hand them on to.',
    questions: 'Is something not right with your book? Write to us and we will make it good.',
  },
  sections: [
    { name: 'blueprint', is_shown: true },
    { name: 'preview', is_shown: true },
    { name: 'words', is_shown: true },
    { name: 'invitation', is_shown: true },
    { name: 'text', is_shown: false },
    { name: 'author', is_shown: false },
    { name: 'quotes', is_shown: false },
    { name: 'questions', is_shown: false },
    { name: 'purchase', is_shown: true },
    { name: 'contact', is_shown: true },
  ],
  legal: legalPages,
  texts: {},
}
