// The book's cover as the pages show it: the author's picture, the sample's, or a drawn one.
import { createHash } from 'node:crypto'
import { sampleBook } from '#content/sample-book.ts'
import { pictureUrl } from '#contract/files/renditions.ts'
import {
  type BookDocument,
  daysPlaceholder,
  fullTitle,
  maxLead,
  productPlaceholder,
  type SectionName,
} from '#contract/book/book.ts'
import { coverSize } from '#contract/book/cover-layout.ts'
import { looksCss, resolveLooks } from '#contract/book/looks.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import type { ShownBook, ShownChapter, ShownLegalPage } from '#contract/book/shown-book.ts'
import type { Block, Span } from '#contract/book/long-text.ts'
import { splitTitle } from '#contract/book/split-title.ts'
import { previewTexts } from '#words/home.ts'
import type { Wording } from '#words/texts.ts'
import { loadPageWording, withTexts } from '#words/wording.ts'
import { showLegal, showLegalPages, type LegalFacts } from './legal-pages.ts'
import { leadingSentence } from '#domains/files/chapter-text.ts'
import { parseMarkdown } from './markdown.ts'
import { optionalLine, optionalText } from '#contract/fields.ts'
import type { Chapter } from '#contract/files/read-book.ts'
import { legalPageNames } from '#contract/book/legal.ts'

function showCover(document: BookDocument): Pick<ShownBook, 'drawn_cover' | 'cover_files'> {
  const { cover } = document
  if (cover)
    return {
      drawn_cover: null,
      cover_files: {
        social: pictureUrl(cover.id, 'social.jpg'),
        tab: pictureUrl(cover.id, 'icon-32.png'),
        apple: pictureUrl(cover.id, 'icon-180.png'),
        icon_192: pictureUrl(cover.id, 'icon-192.png'),
        icon_512: pictureUrl(cover.id, 'icon-512.png'),
        maskable: pictureUrl(cover.id, 'maskable.png'),
      },
    }
  if (isSample(document))
    return {
      drawn_cover: null,
      cover_files: {
        social: '/social.png',
        tab: null,
        apple: '/apple-touch-icon.png',
        icon_192: '/icon-192.png',
        icon_512: '/icon-512.png',
        maskable: '/icon-512.png',
      },
    }
  return {
    drawn_cover: drawCover(document),
    cover_files: {
      social: drawnCoverUrl(document, 'social.jpg'),
      tab: drawnCoverUrl(document, 'icon-32.png'),
      apple: drawnCoverUrl(document, 'icon-180.png'),
      icon_192: drawnCoverUrl(document, 'icon-192.png'),
      icon_512: drawnCoverUrl(document, 'icon-512.png'),
      maskable: drawnCoverUrl(document, 'icon-512.png'),
    },
  }
}

export function mailCover(document: BookDocument, siteUrl: string): { url: string; height: number } {
  const { cover } = document
  const path = cover ? pictureUrl(cover.id, '320.jpg') : drawnCoverUrl(document, 'mail.jpg')
  const { width, height } = cover ?? coverSize
  return { url: siteUrl + path, height: Math.round((56 * height) / width) }
}

export const drawnCoverFiles = [
  'share.jpg',
  'social.jpg',
  'mail.jpg',
  'icon-32.png',
  'icon-180.png',
  'icon-192.png',
  'icon-512.png',
] as const
export type DrawnCoverFile = (typeof drawnCoverFiles)[number]

function drawnCoverUrl(document: BookDocument, file: DrawnCoverFile): string {
  return `/cover/${file}?v=${drawnCoverKey(document)}`
}

export function drawnCoverKey(document: BookDocument): string {
  const drawn = JSON.stringify([drawCover(document), document.looks])
  return createHash('sha256').update(drawn).digest('base64url').slice(0, 16)
}

/** The sample, also with other texts under its title. */
export function isSample(document: BookDocument): boolean {
  const shows = ({ title, product, author, words, looks }: BookDocument) =>
    [title, product, author.name, words.length, looksCss(looks)].join('\n')
  return shows(document) === shows(sampleBook)
}

const [narrowest, widest] = [0.5, 1.1]

/** The shape of a book with this cover, as book.css uses it. */
function coverCss(cover: BookDocument['cover']): string {
  if (!cover) return ''
  const ratio = Math.min(Math.max(cover.width / cover.height, narrowest), widest)
  return `:root{--cover-ratio:${ratio.toFixed(3)}}`
}

const excerptBlocks = 3

export type WholeBook = { shown: ShownBook; chapters: ShownChapter[]; legal: ShownLegalPage[] }

export function showWholeBook(document: BookDocument, facts: LegalFacts): WholeBook {
  return {
    shown: showBook(document),
    chapters: showChapters(document),
    legal: showLegalPages(document, facts),
  }
}

export type ShownFacts = Omit<ShownBook, 'author' | 'excerpt' | 'invitation' | 'text' | 'questions'>

export function showFacts(document: BookDocument): ShownFacts {
  const { claims, refund_days, preview, contact, ...rest } = document
  // These are Markdown; the packing slip and the legal pages' settings are not for visitors; texts come with the
  // page itself.
  const {
    author: _author,
    invitation: _invitation,
    text: _text,
    questions: _questions,
    sections: _sections,
    packing_slip: _slip,
    legal: _legal,
    texts: _texts,
    ...kept
  } = { ...rest, ...withoutHidden(document) }
  const { quotes } = kept
  return {
    ...kept,
    title: fullTitle(document),
    lead: leadingSentence(document.description, maxLead),
    title_parts: splitTitle(document),
    contact: { ...contact, speaking: contact.speaking.is_shown ? contact.speaking : noSpeaking },
    sections: document.sections.map(({ name, is_shown }) => ({
      name,
      is_shown: is_shown && hasContent(name, document),
    })),
    is_sample: isSample(document),
    ...showCover(document),
    looks: {
      css: coverCss(kept.cover),
      colors_css: looksCss(kept.looks),
      page: resolveLooks(kept.looks).page,
    },
    refund_days,
    words: kept.words.map((entry) => withChapter(entry, document)),
    words_title: kept.words_title.replaceAll(productPlaceholder, kept.product),
    preview_after: preview.after,
    quotes: quotes.map(({ text, by, source }) => ({ text, by: source ? `${by}, ${source}` : by })),
    claims: {
      ...claims,
      refund: refund_days > 0 ? claims.refund.replaceAll(daysPlaceholder, String(refund_days)) : '',
    },
    legal: showLegal(document),
  }
}

/** The title finds the chapter: both are read from the same file, and may be corrected since. */
function withChapter(
  entry: BookDocument['words'][number],
  document: BookDocument,
): ShownBook['words'][number] {
  if (!isSectionShown(document, 'preview') || entry.is_part) return entry
  const plain = (title: string) => title.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const chapter = document.preview.chapters.findIndex(({ title }) => plain(title) === plain(entry.word))
  return chapter === -1 ? entry : { ...entry, chapter }
}

export function showBook(document: BookDocument): ShownBook {
  const { author } = document
  const { invitation, text, questions } = withoutHidden(document)
  const [first] = isSectionShown(document, 'preview') ? document.preview.chapters : []
  return {
    ...showFacts(document),
    author: { ...author, biography: parseMarkdown(author.biography) },
    excerpt: {
      title: first ? titleOf(first) : '',
      blocks: parseMarkdown(first?.text ?? '').slice(0, excerptBlocks),
    },
    invitation: { title: invitation.title, blocks: parseMarkdown(invitation.text) },
    text: { title: text.title, blocks: parseMarkdown(text.text) },
    questions: questions.map(({ question, answer }) => ({ question, answer: parseMarkdown(answer) })),
  }
}

/**
 * The book on a page that is made for one request, as an order's: without chapters and legal pages, and so without the
 * Markdown of both. What such a page says of them, as which legal pages there are, is in `shown`.
 */
export type BriefBook = { shown: ShownBook; wording: Wording }

export async function showBriefly(document: BookDocument): Promise<BriefBook> {
  const wording = await loadPageWording(document)
  return { wording, shown: withTexts(wording, () => showBook(document)) }
}

/** The home page alone shows the author's long texts; the others need none of them. */
export function withoutLongTexts({ shown, wording }: BriefBook): BriefBook {
  const { author, excerpt, invitation, text } = shown
  return {
    wording,
    shown: {
      ...shown,
      author: { ...author, biography: [] },
      excerpt: { ...excerpt, blocks: [] },
      invitation: { ...invitation, blocks: [] },
      text: { ...text, blocks: [] },
      questions: [],
    },
  }
}

/** The texts that `withoutLongTexts` leaves out. */
export function longTextsOf({ shown }: BriefBook): unknown[] {
  const { author, excerpt, invitation, text, questions } = shown
  return [author.biography, excerpt.blocks, invitation.blocks, text.blocks, questions]
}

export const noSpeaking = { is_shown: false, title: '', line: '', subject: '' }

/** Parts of the page without a word in them. */
export const emptyParts = {
  blueprint: { title: '', lead: '', text: '', parts: [] },
  words: [],
  words_title: '',
  invitation: { title: '', text: '' },
  text: { title: '', text: '' },
  quotes: [],
  questions: [],
} satisfies Partial<BookDocument>

export function isSectionShown({ sections }: BookDocument, name: SectionName): boolean {
  return sections.some((each) => each.name === name && each.is_shown)
}

/** No page's data has what the author has switched off. The blueprint shows the words, too. */
function withoutHidden(document: BookDocument): Pick<BookDocument, keyof typeof emptyParts> {
  const isShown = (name: SectionName) => isSectionShown(document, name)
  return {
    blueprint: isShown('blueprint') ? document.blueprint : emptyParts.blueprint,
    words: isShown('words') || isShown('blueprint') ? document.words : emptyParts.words,
    words_title: isShown('words') ? document.words_title : emptyParts.words_title,
    invitation: isShown('invitation') ? document.invitation : emptyParts.invitation,
    text: isShown('text') ? document.text : emptyParts.text,
    quotes: isShown('quotes') ? document.quotes : emptyParts.quotes,
    questions: isShown('questions') ? document.questions : emptyParts.questions,
  }
}

/** An empty section is not shown, and neither is its heading. */
export function hasContent(name: SectionName, document: BookDocument): boolean {
  const { author, blueprint, invitation, text } = document
  switch (name) {
    case 'author':
      return Boolean(author.biography || author.portrait)
    case 'blueprint':
      return Boolean(blueprint.title || blueprint.lead || blueprint.text || blueprint.parts.length)
    case 'invitation':
      return Boolean(invitation.title || invitation.text)
    case 'text':
      return Boolean(text.title || text.text)
    case 'words':
    case 'quotes':
    case 'questions':
      return document[name].length > 0
    case 'preview':
      return document.preview.chapters.length > 0
    case 'purchase':
    case 'contact':
    default:
      return true
  }
}

type PreviewChapter = BookDocument['preview']['chapters'][number]

const titleOf = ({ title }: PreviewChapter) => title || previewTexts.page

export function showChapters({ preview }: BookDocument): ShownChapter[] {
  return preview.chapters.map((chapter) => ({
    number: chapter.number,
    title: titleOf(chapter),
    blocks: parseMarkdown(chapter.text),
  }))
}

const maxPreviewText = 200_000

/** A long one ends behind a paragraph, or behind a word of one that is long itself. */
export function previewOf({
  title,
  markdown,
}: Pick<Chapter, 'title' | 'markdown'>): BookDocument['preview']['chapters'][number] {
  return {
    number: null,
    title: cutLine(title, 300),
    text: optionalText(maxPreviewText).catch('').parse(cutText(markdown)),
  }
}

function cutText(markdown: string): string {
  if (markdown.length <= maxPreviewText) return markdown
  const ends = ['\n\n', '\n', ' '].map((gap) => markdown.lastIndexOf(gap, maxPreviewText))
  const end = ends.find((place) => place > maxPreviewText / 2) ?? maxPreviewText
  // Half of a pair of UTF-16 is no character.
  return markdown.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')
}

export function cutLine(text: string, most: number): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  const end = words.lastIndexOf(' ', most - 1)
  const short = words.length > most ? `${words.slice(0, end > 0 ? end : most - 1)}…` : words
  return optionalLine(most).catch('').parse(short.toWellFormed())
}

/** `place` continues "The link … in". */
type Text = { field: string; place: string; text: string }

export type BookLink = Omit<Text, 'text'> & { href: string }

const maxLinks = 20

export function linksIn(document: BookDocument): BookLink[] {
  return textsOf(document)
    .flatMap(({ field, place, text }) =>
      [...new Set(parseMarkdown(text).flatMap(linksOf))].map((href) => ({ field, place, href })),
    )
    .filter(({ href }) => /^https?:/i.test(href))
    .slice(0, maxLinks)
}

function textsOf({ author, invitation, text, preview, questions, legal }: BookDocument): Text[] {
  return [
    { field: 'author.biography', place: 'the author’s biography', text: author.biography },
    { field: 'invitation.text', place: 'the invitation', text: invitation.text },
    { field: 'text.text', place: 'your own text', text: text.text },
    ...preview.chapters.map((chapter, at) => ({
      field: `preview.chapters.${at}.text`,
      place: `the preview’s chapter ${at + 1}${quote(chapter.title)}`,
      text: chapter.text,
    })),
    ...questions.map(({ question, answer }, at) => ({
      field: `questions.${at}.answer`,
      place: `the answer to question ${at + 1}${quote(question)}`,
      text: answer,
    })),
    ...legalPageNames
      .filter((name) => legal.pages[name].is_shown)
      .map((name) => ({
        field: `legal.pages.${name}.text`,
        place: `the legal page${quote(legal.pages[name].title)}`,
        text: legal.pages[name].text,
      })),
  ]
}

function quote(title: string): string {
  return title && ` “${title}”`
}

function linksOf(block: Block): string[] {
  switch (block.kind) {
    case 'paragraph':
      return block.spans.flatMap(hrefOf)
    case 'quotation':
      return block.lines.flat().flatMap(hrefOf)
    case 'list':
      return block.items.flat().flatMap(linksOf)
    default:
      return []
  }
}

function hrefOf(span: Span): string[] {
  return 'href' in span ? [span.href] : []
}
