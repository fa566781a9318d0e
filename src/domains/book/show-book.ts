import {
  daysPlaceholder,
  fullTitle,
  productPlaceholder,
  type BookDocument,
  type SectionName,
} from '#contract/book/book.ts'
import { previewTexts } from '#words/preview.ts'
import { coverCss, isSample, showCover } from './show-cover.ts'
import { looksCss, resolveLooks } from '#contract/book/looks.ts'
import type { ShownBook, ShownChapter, ShownLegalPage } from '#contract/book/shown-book.ts'
import { showLegal, showLegalPages, type LegalFacts } from './legal-pages.ts'
import { leadingSentence } from '#domains/files/sentences.ts'
import { splitTitle } from '#contract/book/split-title.ts'
import { parseMarkdown } from './markdown.ts'

const excerptBlocks = 3
/** Characters: about four lines of the hero. */
const maxLead = 240

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

const noSpeaking = { is_shown: false, title: '', line: '', subject: '' }

const empty = {
  blueprint: { title: '', lead: '', text: '', parts: [] },
  words: [],
  words_title: '',
  invitation: { title: '', text: '' },
  text: { title: '', text: '' },
  quotes: [],
  questions: [],
} satisfies Partial<BookDocument>

function isSectionShown({ sections }: BookDocument, name: SectionName): boolean {
  return sections.some((each) => each.name === name && each.is_shown)
}

/** What the author has switched off is in no page's data. The blueprint shows the words, too. */
function withoutHidden(document: BookDocument): Pick<BookDocument, keyof typeof empty> {
  const isShown = (name: SectionName) => isSectionShown(document, name)
  return {
    blueprint: isShown('blueprint') ? document.blueprint : empty.blueprint,
    words: isShown('words') || isShown('blueprint') ? document.words : empty.words,
    words_title: isShown('words') ? document.words_title : empty.words_title,
    invitation: isShown('invitation') ? document.invitation : empty.invitation,
    text: isShown('text') ? document.text : empty.text,
    quotes: isShown('quotes') ? document.quotes : empty.quotes,
    questions: isShown('questions') ? document.questions : empty.questions,
  }
}

/** An empty section is not shown, and neither is its heading. */
function hasContent(name: SectionName, document: BookDocument): boolean {
  const { blueprint, invitation, text } = document
  switch (name) {
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

type Chapter = BookDocument['preview']['chapters'][number]

const titleOf = ({ title }: Chapter) => title || previewTexts.page

export function showChapters({ preview }: BookDocument): ShownChapter[] {
  return preview.chapters.map((chapter) => ({
    number: chapter.number,
    title: titleOf(chapter),
    blocks: parseMarkdown(chapter.text),
  }))
}
