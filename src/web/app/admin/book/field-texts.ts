// The labels of the fields in the book's form.
import {
  type BookDocument,
  daysPlaceholder,
  fullTitle,
  maxLead,
  productPlaceholder,
} from '#contract/book/book.ts'
import { blanksInEnglish, isTemplateInEnglish } from '#content/legal-pages.ts'
import {
  legalPageTitles,
  neededBlanks,
  optionalBlanks,
  shopBlanks,
  type LegalPageName,
} from '#contract/book/legal.ts'
import { formatsTexts } from '#words/buying.ts'
import type { Descriptions } from '../../schema-fields.tsx'

const placeholders = [...neededBlanks, ...optionalBlanks, ...shopBlanks].map((name) => `{${name}}`).join(' ')

export function fieldTextsOf(book: BookDocument): Descriptions {
  const { title, product, words, words_have_own_numbers: hasOwnNumbers, blueprint } = book
  const { is_shown: isSpeaking } = book.contact.speaking
  const namesProduct = title.includes(productPlaceholder)
  const taken = blueprint.parts.reduce((sum, { takes }) => sum + takes, 0)
  const shownTitle = `Shown as “${fullTitle(book)}”. ${productPlaceholder} stands for the name below.`
  return {
    title: { label: 'Title', hint: namesProduct ? shownTitle : undefined },
    product: (namesProduct || product !== '') && { label: `Name for ${productPlaceholder}` },
    subtitle: {
      label: 'Subtitle',
      hint: 'Beneath the title, for search engines, and on a drawn cover.',
      example: 'A short history of the lighthouse',
    },
    description: {
      label: 'Description',
      hint: 'Beneath the subtitle, and what search engines and shared links show.',
      example: 'Two or three sentences: what the book is about, and for whom.',
      rows: 3,
    },
    description_title: {
      label: 'Title above the rest of the description',
      hint: `Up to ${maxLead} characters stand beneath the subtitle as a whole. Of a longer description, only its first sentence stands there, and the others in a section of their own. An empty title is “About the book”, in the language of the book.`,
      example: 'What this book is about',
    },
    language: { label: 'Language' },
    isbns: { label: 'ISBN' },
    'isbns.digital': { label: formatsTexts.names.digital },
    'isbns.paperback': { label: formatsTexts.names.paperback },
    'isbns.hardcover': { label: formatsTexts.names.hardcover },

    pages: { label: 'Number of pages', hint: '0 where you do not know it: then none is shown.' },
    'pages.digital': { label: formatsTexts.names.digital },
    'pages.paperback': { label: formatsTexts.names.paperback },
    'pages.hardcover': { label: formatsTexts.names.hardcover },
    publisher: { label: 'Publisher', example: 'The name of your press' },
    published_on: {
      label: 'Date of publication',
      hint: 'A day as 2026-03-12, a month as 2026-03, or a year.',
    },

    'author.name': { label: 'Name' },
    'author.email': {
      label: 'Public email address',
      hint: 'Shown on the page and on receipts. Leave empty to offer the contact form only.',
    },
    'author.biography': {
      label: 'Biography',
      hint: 'Shown under “About the author”, a heading that you change under “Words of pages and emails”; where that section is off, above the contact form.',
      example: 'Where you live, what you do, and how you came to write this book.',
    },
    'invitation.title': {
      label: 'Title of the invitation',
      hint: 'An empty one is “A personal invitation”, in the language of the book.',
    },
    'invitation.text': {
      label: 'Invitation',
      example: 'A few words to somebody who has never heard of the book.',
    },

    'blueprint.title': { label: 'Title', example: 'How this book is built' },
    'blueprint.lead': { label: 'Opening', example: 'One sentence that stands large.', rows: 3 },
    'blueprint.text': {
      label: 'Text',
      example: 'What belongs together in the book, and why in this order.',
      rows: 3,
    },
    'blueprint.parts': {
      label: 'part',
      hint: `The parts hold ${taken} of the ${words.length} chapters, in their order.`,
      blank: { title: '', line: '', takes: 1 },
    },
    'blueprint.parts.*.title': { label: 'Title', example: 'Part one' },
    'blueprint.parts.*.line': { label: 'What it is about', example: 'One sentence on this part.' },
    'blueprint.parts.*.takes': { label: 'Number of chapters' },

    'preview.chapters': {
      label: 'chapter',
      hint: 'The home page shows the beginning of the first chapter.',
      blank: { number: null, title: '', text: '' },
    },
    'preview.chapters.*.number': { label: 'Chapter number', hint: 'Empty for a preface.' },
    'preview.chapters.*.title': { label: 'Title', example: 'Chapter one' },
    'preview.chapters.*.text': { label: 'Text', rows: 14 },
    'preview.after': { label: 'Line after the preview', example: 'Eleven more chapters follow' },

    words_title: {
      label: 'Title of the section',
      hint: 'An empty one is “In this book”, in the language of the book.',
    },
    words: { label: 'chapter', blank: { word: '', line: '' } },
    'words.*.word': { label: hasOwnNumbers ? 'Title' : 'Chapter', example: 'The harbour' },
    'words.*.line': { label: 'What it is about', example: 'One sentence on this chapter.' },
    'words.*.is_part': hasOwnNumbers && { label: 'The title of a part, above its chapters' },
    words_have_own_numbers: { label: 'Chapters carry their own numbers, or none' },

    refund_days: {
      label: 'Refund period in days',
      hint: 'For the page, the buyer’s button, the rule behind it and the emails. 0 promises no refund. Purchases keep the period that they were made with.',
    },
    'rating.stars': { label: 'Stars of 5', input: { step: 0.1 }, beside: 'wide' },
    'rating.source': {
      label: 'Source',
      beside: 'wide',
      hint: 'Where readers gave it, as in “212 ratings on Goodreads”. A rating without a source is not published.',
      example: '212 ratings on Goodreads',
    },
    claims: {
      label: 'Lines under the products',
      hint: 'Each is shown only while it is true. An empty one is not shown.',
    },
    'claims.refund': {
      label: `Refund (${daysPlaceholder} stands for the number of days)`,
      example: '{days}-day money-back guarantee',
    },
    'claims.ships': { label: 'While shipping is free', example: 'Free shipping for physical items' },
    'claims.pdf': {
      label: 'While every digital product has a PDF',
      example: 'Instant download and PDF for digital',
    },
    'claims.no_pdf': {
      label: 'While some digital product has no PDF',
      example: 'Instant download for digital',
    },
    'claims.digital': { label: 'While something digital is for sale', example: 'Yours for good' },
    'claims.bonus': { label: 'While the bundle has a bonus', example: 'A bonus with the bundle' },

    questions: { label: 'question', blank: { question: '', answer: '' } },
    'questions.*.question': { label: 'Question', example: 'Can I read it on a Kindle?' },
    'questions.*.answer': {
      label: 'Answer',
      example: 'Yes: the download includes an EPUB, which a Kindle accepts.',
    },
    quotes: {
      label: 'quotation',
      hint: 'What others wrote about the book. Three are plenty, and none is fine: then the page shows no such section.',
      blank: { text: '', by: '', source: '', permission: '' },
    },
    'quotes.*.text': { label: 'Quotation', example: 'What somebody really wrote about the book', rows: 3 },
    'quotes.*.by': { label: 'Name', example: 'Who wrote it' },
    'quotes.*.source': { label: 'Source', example: 'Newspaper, site or letter' },
    'quotes.*.permission': {
      label: 'Permission',
      hint: 'Who allowed you to print it, and when. Only you see this.',
      example: 'By email, 3 May',
    },
    'text.title': { label: 'Title', example: 'Why I wrote this book' },
    'text.text': { label: 'Text', example: 'Whatever else you want to say.', rows: 10 },

    'contact.lead': { label: 'Lead', example: 'A question or a correction? I like to hear from readers.' },
    'contact.direct.title': { label: 'Title of the first card', example: 'Write directly' },
    'contact.direct.line': {
      label: 'Text of the first card',
      example: 'Whom a message reaches, and how.',
      rows: 3,
    },
    'contact.reply_time': {
      label: 'Time in which you reply',
      hint: 'Promised to those who write to you. Leave empty to promise none.',
      example: 'a week',
    },
    'contact.speaking.is_shown': { label: 'Show the card that invites you to speak' },
    'contact.speaking.title': isSpeaking && {
      label: 'Title of the second card',
      example: 'Invite me to speak',
    },
    'contact.speaking.line': isSpeaking && {
      label: 'Text of the second card',
      example: 'Where you speak, about what, and what you need to know.',
      rows: 3,
    },
    'contact.speaking.subject': isSpeaking && {
      label: 'Subject of such an email',
      example: 'An invitation to speak',
    },
    'closing.title': { label: 'Last title of the page', example: 'The last words of your page' },
    'closing.line': { label: 'Last line of the page', example: 'One more sentence beneath them.' },
    'packing_slip.thanks': { label: 'Thanks', example: 'Thank you for your order.', rows: 3 },
    'packing_slip.questions': {
      label: 'What to do when something is not right',
      example: 'Something is not right with your order? Please write to us.',
    },

    'legal.blanks.seller': {
      label: 'Name of the seller',
      hint: 'The person or company with whom buyers make the contract.',
    },
    'legal.blanks.address': {
      label: 'Postal address',
      hint: 'With the country. It stands so on legal pages, receipts and packing slips.',
      rows: 5,
    },
    'legal.blanks.email': { label: 'Email address for legal questions' },
    'legal.blanks.law': { label: 'Country whose law applies', hint: 'As in “Ireland”.' },
    'legal.blanks.host': {
      label: 'Who runs the server',
      hint: 'The company and its country: that is where the shop’s data are.',
    },
    'legal.blanks.represented_by': { label: 'Represented by', hint: 'Who acts for a company.' },
    'legal.blanks.phone': { label: 'Phone' },
    'legal.blanks.register': { label: 'Register and number' },
    'legal.blanks.tax_number': {
      label: 'VAT ID',
      hint: 'Not the number by which your tax office knows you: it need not be public.',
    },
    'legal.blanks.responsible': { label: 'Responsible for the content' },
    'legal.blanks.authority': {
      label: 'Data protection authority',
      hint: 'To which readers may complain.',
    },
    'legal.maker': {
      label: 'Manufacturer of the books on paper',
      hint: 'Name, postal address and email address. Empty: the seller’s from above.',
      rows: 4,
    },
    'legal.eu_person': {
      label: 'Responsible person in the EU',
      hint: 'Where the manufacturer is elsewhere: name, postal address and email address of who answers for the books in the European Union.',
      rows: 4,
    },
    'legal.consent.is_asked': {
      label: `I sell to consumers in the EU: ask for their consent${isTemplateInEnglish(book, 'consent') ? inEnglish : ''}`,
    },
    ...legalPageTexts(book, 'terms'),
    ...legalPageTexts(book, 'privacy'),
    ...legalPageTexts(book, 'imprint'),
  }
}

const inEnglish = ' (English text)'

function legalPageTexts(book: BookDocument, name: LegalPageName): Descriptions {
  const isInEnglish = isTemplateInEnglish(book, name)
  const isPartlyInEnglish = blanksInEnglish(book, name).length > 0
  const note = isInEnglish ? inEnglish : isPartlyInEnglish ? ' (partly in English)' : ''
  return {
    [`legal.pages.${name}.is_shown`]: { label: `Show a page: ${legalPageTitles[name]}${note}` },
    [`legal.pages.${name}.title`]: { label: 'Title of the page' },
    [`legal.pages.${name}.text`]: {
      label: `Words of ${legalPageTitles[name]}`,
      hint: `These are filled in: ${placeholders}`,
      rows: 14,
    },
  }
}

export const labelOf = (texts: Descriptions, path: string): string => (texts[path] || undefined)?.label ?? ''
