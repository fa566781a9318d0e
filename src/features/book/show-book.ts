// Makes of a document what the pages show.
import {
  daysPlaceholder,
  fullTitle,
  productPlaceholder,
  type BookDocument,
  type SectionName,
} from './contract/book.ts'
import { coverCss, showCover } from './show-cover.ts'
import { looksCss, resolveLooks } from './contract/looks.ts'
import type { ShownBook, ShownChapter } from './contract/shown-book.ts'
import { showLegal } from './legal-pages.ts'
import { splitTitle } from './split-title.ts'
import { parseMarkdown } from './markdown.ts'

/** Of the first chapter, on the home page. */
const excerptBlocks = 3

export function showBook(document: BookDocument): ShownBook {
  const { author, invitation, claims, refund_days, preview, contact, ...rest } = document
  // Neither is for visitors.
  const { packing_slip: _slip, legal: _legal, ...kept } = { ...rest, ...withoutHidden(document) }
  const { text, quotes, questions } = kept
  const [first] = preview.chapters
  return {
    ...kept,
    title: fullTitle(document),
    title_parts: splitTitle(document),
    contact: { ...contact, speaking: contact.speaking.is_shown ? contact.speaking : noSpeaking },
    author: { ...author, biography: parseMarkdown(author.biography) },
    ...showCover(document),
    looks: { css: looksCss(kept.looks) + coverCss(kept.cover), page: resolveLooks(kept.looks).page },
    refund_days,
    words_title: kept.words_title.replaceAll(productPlaceholder, kept.product),
    excerpt: {
      title: first?.title ?? '',
      blocks: parseMarkdown(first?.text ?? '').slice(0, excerptBlocks),
    },
    preview_after: preview.after,
    invitation: { title: invitation.title, blocks: parseMarkdown(invitation.text) },
    text: { title: text.title, blocks: parseMarkdown(text.text) },
    quotes: quotes.map(({ text, by }) => ({ text, by })),
    questions: questions.map(({ question, answer }) => ({ question, answer: parseMarkdown(answer) })),
    claims: {
      ...claims,
      refund: refund_days > 0 ? claims.refund.replaceAll(daysPlaceholder, String(refund_days)) : '',
    },
    legal: showLegal(document),
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
