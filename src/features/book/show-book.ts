import {
  daysPlaceholder,
  fullTitle,
  productPlaceholder,
  type BookDocument,
  type SectionName,
} from './contract/book.ts'
import { coverCss, showCover } from './show-cover.ts'
import { looksCss, resolveLooks } from './contract/looks.ts'
import type { ShownBook, ShownChapter, ShownLegalPage } from './contract/shown-book.ts'
import { showLegal, showLegalPages } from './legal-pages.ts'
import { splitTitle } from './split-title.ts'
import { parseMarkdown } from './markdown.ts'

const excerptBlocks = 3

export type WholeBook = { shown: ShownBook; chapters: ShownChapter[]; legal: ShownLegalPage[] }

export function showWholeBook(document: BookDocument): WholeBook {
  return {
    shown: showBook(document),
    chapters: showChapters(document),
    legal: showLegalPages(document),
  }
}

export type ShownFacts = Omit<ShownBook, 'author' | 'excerpt' | 'invitation' | 'text' | 'questions'>

export function showFacts(document: BookDocument): ShownFacts {
  const { claims, refund_days, preview, contact, ...rest } = document
  // These are Markdown; the packing slip and the legal pages' settings are not for visitors.
  const {
    author: _author,
    invitation: _invitation,
    text: _text,
    questions: _questions,
    packing_slip: _slip,
    legal: _legal,
    ...kept
  } = { ...rest, ...withoutHidden(document) }
  const { quotes } = kept
  return {
    ...kept,
    title: fullTitle(document),
    title_parts: splitTitle(document),
    contact: { ...contact, speaking: contact.speaking.is_shown ? contact.speaking : noSpeaking },
    ...showCover(document),
    looks: { css: looksCss(kept.looks) + coverCss(kept.cover), page: resolveLooks(kept.looks).page },
    refund_days,
    words_title: kept.words_title.replaceAll(productPlaceholder, kept.product),
    preview_after: preview.after,
    quotes: quotes.map(({ text, by }) => ({ text, by })),
    claims: {
      ...claims,
      refund: refund_days > 0 ? claims.refund.replaceAll(daysPlaceholder, String(refund_days)) : '',
    },
    legal: showLegal(document),
  }
}

export function showBook(document: BookDocument): ShownBook {
  const { author, invitation, preview } = document
  const { text, questions } = withoutHidden(document)
  const [first] = preview.chapters
  return {
    ...showFacts(document),
    author: { ...author, biography: parseMarkdown(author.biography) },
    excerpt: {
      title: first?.title ?? '',
      blocks: parseMarkdown(first?.text ?? '').slice(0, excerptBlocks),
    },
    invitation: { title: invitation.title, blocks: parseMarkdown(invitation.text) },
    text: { title: text.title, blocks: parseMarkdown(text.text) },
    questions: questions.map(({ question, answer }) => ({ question, answer: parseMarkdown(answer) })),
  }
}

const noSpeaking = { is_shown: false, title: '', line: '', subject: '' }

const empty = {
  blueprint: { title: '', lead: '', text: '', parts: [] },
  text: { title: '', text: '' },
  quotes: [],
  questions: [],
} satisfies Partial<BookDocument>

/** What the author has switched off is in no page's data. */
function withoutHidden({ sections, ...document }: BookDocument): Pick<BookDocument, keyof typeof empty> {
  const isShown = (name: SectionName) => sections.some((each) => each.name === name && each.is_shown)
  return {
    blueprint: isShown('blueprint') ? document.blueprint : empty.blueprint,
    text: isShown('text') ? document.text : empty.text,
    quotes: isShown('quotes') ? document.quotes : empty.quotes,
    questions: isShown('questions') ? document.questions : empty.questions,
  }
}

export function showChapters({ preview }: BookDocument): ShownChapter[] {
  return preview.chapters.map(({ number, title, text }) => ({ number, title, blocks: parseMarkdown(text) }))
}
