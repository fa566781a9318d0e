// The fields of the book's form as the document's schema describes them, and what they are called.
import { z } from 'zod'
import {
  bookDocument,
  type BookDocument,
  daysPlaceholder,
  fullTitle,
  productPlaceholder,
} from '#contract/book/book.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { Line, Lines, MarkdownField, NumberLine, Tick } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'
import type { Change } from './draft.ts'
import { neededBlanks, optionalBlanks, shopBlanks, type LegalPageName } from '#contract/book/legal.ts'
import { formatsTexts } from '#words/buying.ts'

export type PartProps = {
  document: BookDocument
  change: Change
  problems: FieldProblems
  texts: FieldTexts
  /** In the preview, for the `count`th time. */
  pressed?: { words: string; count: number }
}

/** `paths` as problems name fields: `author.name`, `questions.0`. An object stands for all its fields. */
export function Fields({ paths, ...book }: PartProps & { paths: readonly string[] }) {
  return paths.map((path) => <FieldAt key={path} path={path} {...book} />)
}

type FieldProps = PartProps & { path: string }

function FieldAt({ path, ...book }: FieldProps) {
  const text = book.texts[path.replaceAll(/\.\d+\b/g, '.*')]
  if (text === false) return null
  const schema = schemaAt(path)
  const names = Object.keys(schema.properties ?? {})
  const inner = <Fields paths={names.map((name) => `${path}.${name}`)} {...book} />
  if (!text) return inner
  if (schema.type === 'array') return <ListField path={path} schema={schema} text={text} {...book} />
  if (schema.type !== 'object') return <Input path={path} schema={schema} text={text} {...book} />
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-2 font-semibold">{text.label}</legend>
      {text.hint && <p className="text-sm text-soft">{text.hint}</p>}
      {inner}
    </fieldset>
  )
}

type InputProps = FieldProps & { schema: Schema; text: FieldText }

function ListField({ path, schema, text: { label, hint, blank }, ...book }: InputProps) {
  const { document, change, problems } = book
  const items = valueAt(document, path)
  return (
    <>
      {hint && <p className="text-sm text-soft">{hint}</p>}
      {problems[path] && <p className="text-sm text-danger">{problems[path]}</p>}
      <ListEditor
        items={Array.isArray(items) ? items : []}
        noun={label}
        summarize={(item) => summaryOf(schema, item)}
        isWrong={(index) => Object.keys(problems).some((each) => each.startsWith(`${path}.${index}.`))}
        max={schema.maxItems ?? Infinity}
        blank={blank}
        onChange={(next) => change((draft) => setAt(draft, path, next))}
      >
        {(_item, index) => <Fields paths={[`${path}.${index}`]} {...book} />}
      </ListEditor>
    </>
  )
}

/** The first two texts of an item, as title and sentence of its row. */
function summaryOf({ items }: Schema, item: unknown): string[] {
  const fields = typeof items === 'object' && !Array.isArray(items) ? Object.keys(items.properties ?? {}) : []
  const texts = fields.map((field) => valueAt(item, field)).filter((value) => typeof value === 'string')
  return texts.slice(0, 2).map((text) => text.slice(0, maxSummary))
}

/** Characters; a chapter of the preview is as long as it is. */
const maxSummary = 120

function Input({ path, schema, text, document, change, problems }: InputProps) {
  const { label, hint, rows, step, example } = text
  const value = valueAt(document, path)
  const set = (next: unknown) => change((draft) => setAt(draft, path, next))
  if (schema.type === 'boolean') return <Tick label={label} isTicked={value === true} onChange={set} />
  const shown = { label, hint, problem: problems[path] }
  if (typeof value === 'number' && !schema.nullable) {
    const { minimum: min, maximum: max } = schema
    return <NumberLine {...shown} value={value} min={min} max={max} step={step} onChange={set} />
  }
  const entered = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const typed = { ...shown, placeholder: example && `For example: ${example}`, value: entered }
  if (schema.format === 'markdown') return <MarkdownField {...typed} {...(rows && { rows })} onChange={set} />
  if (rows) return <Lines {...typed} rows={rows} onChange={set} />
  const read = (line: string) => (schema.nullable ? readNullable(line, schema.type) : line)
  return <Line {...typed} type={schema.format ?? 'text'} onChange={(line) => set(read(line))} />
}

export type Schema = z.core.JSONSchema.JSONSchema

export const documentSchema: Schema = z.toJSONSchema(bookDocument, { io: 'input' })

/** `nullable` where the field may be null. */
function schemaAt(path: string): Schema {
  return path.split('.').reduce((schema, name) => {
    const inner = /^\d+$/.test(name) ? schema.items : schema.properties?.[name]
    if (typeof inner !== 'object' || Array.isArray(inner)) throw new Error(`the book has no ${path}`)
    const [one, other] = inner.anyOf ?? []
    return other?.type === 'null' ? { ...one, nullable: true } : inner
  }, documentSchema)
}

function readNullable(line: string, type: Schema['type']): string | number | null {
  if (type === 'string') return line || null
  const number = Number.parseInt(line, 10)
  return number > 0 ? number : null
}

export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), document)
}

export function setAt(document: BookDocument, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.length > 0 ? valueAt(document, names.join('.')) : document
  if (isRecord(holder)) holder[last] = value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

type FieldText = {
  /** Of a list: what one of its items is called. Of an object: the heading above its fields. */
  label: string
  hint?: string | undefined
  /** In grey in the empty field, as an example. No page shows it. */
  example?: string
  /** A text of several lines. */
  rows?: number
  /** Of a number that need not be whole. */
  step?: number
  /** What an item begins with that is added to a list. */
  blank?: object
}

/** A field that is false is not shown. */
/** What the fields of the book's form are called, by the path of each in the document; `*` stands for the place in a list. */
type FieldTexts = Partial<Record<string, FieldText | false>>

export const legalPageTitles: Record<LegalPageName, string> = {
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
}

const placeholders = [...neededBlanks, ...optionalBlanks, ...shopBlanks].map((name) => `{${name}}`).join(' ')

export function fieldTextsOf(book: BookDocument): FieldTexts {
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
      hint: 'The first sentence stands beneath the subtitle, the others in a section of their own. An empty one is “About the book”, in the language of the book.',
      example: 'What this book is about',
    },
    language: { label: 'Language', hint: 'A language tag: en, es, pt-BR, el ...' },
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
      hint: 'Shown under “About the author”; where that section is off, above the contact form.',
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
    'rating.stars': { label: 'Stars of 5', step: 0.1 },
    'rating.source': {
      label: 'Source',
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
    'legal.blanks.address': { label: 'Postal address', rows: 3 },
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
    'legal.consent.is_asked': { label: 'I sell to consumers in the EU: ask for their consent' },
    ...legalPageTexts('terms'),
    ...legalPageTexts('privacy'),
    ...legalPageTexts('imprint'),
  }
}

function legalPageTexts(name: LegalPageName): FieldTexts {
  return {
    [`legal.pages.${name}.is_shown`]: { label: `Show a page: ${legalPageTitles[name]}` },
    [`legal.pages.${name}.title`]: { label: 'Title of the page' },
    [`legal.pages.${name}.text`]: {
      label: `Words of ${legalPageTitles[name]}`,
      hint: `These are filled in: ${placeholders}`,
      rows: 14,
    },
  }
}

export const labelOf = (texts: FieldTexts, path: string): string => (texts[path] || undefined)?.label ?? ''
