// Converts a chapter’s XHTML to blocks, Markdown and plain text.
import type { ElementContent } from 'hast'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { toMdast } from 'hast-util-to-mdast'
import type { RootContent } from 'mdast'
import { toMarkdown } from 'mdast-util-to-markdown'
import type { Emphasis } from './epub-emphasis.ts'
import {
  attribute,
  clean,
  elementsIn,
  elementsNamed,
  textOf,
  typesOf,
  type Element,
  type Root,
} from './xml.ts'

type Start = { start: string; types: string[] }

const namesIn = (names: string) => new Set(names.split(' '))
const wholeBlocks = namesIn('blockquote dl h1 h2 h3 h4 h5 h6 hr ol ul')
const otherBlocks = namesIn(
  'address article aside body caption center details div dd dt fieldset figcaption figure footer header hgroup html li main p pre section summary table tbody td tfoot th thead tr',
)
const omitted = namesIn(
  'audio button canvas embed form head iframe img input link math meta nav noscript object rp rt script select style svg template textarea title video',
)
/** Tools for documentation put these around a page's text. */
const aroundText =
  /(^|\s)(related|sphinxsidebar|navheader|navfooter|headerlink|footer|oeb-(page-)?(head|foot)(er)?|breadcrumbs?)(\s|$)/i
const isAroundText = (element: Element) =>
  /^(navigation|contentinfo|search)$/.test(attribute(element, 'role') ?? '') ||
  aroundText.test(attribute(element, 'class') ?? '')
const isOmitted = (element: Element) =>
  omitted.has(element.tagName) ||
  attribute(element, 'aria-hidden') === 'true' ||
  isAroundText(element) ||
  isMark(element)
const isBlock = ({ tagName }: Element) => wholeBlocks.has(tagName) || otherBlocks.has(tagName)

const idOf = (element: Element) => attribute(element, 'id') ?? attribute(element, 'name') ?? ''

export function blocksOf(parent: Root | Element, starts: ReadonlySet<string> = new Set()) {
  const result: (Element | Start)[] = []
  let run: ElementContent[] = []
  const endRun = () => {
    const paragraph: Element = { type: 'element', tagName: 'p', properties: {}, children: run }
    if (textOf(paragraph) !== '') result.push(paragraph)
    run = []
  }
  const startsIn = (elements: Element[]) =>
    elements
      .map((each) => ({ start: idOf(each), types: typesOf(each) }))
      .filter(({ start }) => starts.has(start))
  for (const child of parent.children) {
    if (child.type === 'text') run.push(child)
    if (child.type !== 'element' || (isOmitted(child) && !starts.has(idOf(child)))) continue
    const inside = elementsIn(child)
    const isWhole = wholeBlocks.has(child.tagName) || !inside.some(isBlock)
    const begins = startsIn(isWhole ? [child, ...inside] : [child])
    if (begins.length > 0 || isBlock(child) || !isWhole) endRun()
    result.push(...begins)
    if (isContentsList(child, starts)) result.push({ ...child, tagName: 'nav' })
    else if (!isWhole) result.push(...asHeadings(child, blocksOf(child, starts)))
    else if (isBlock(child)) result.push(child)
    else run.push(child)
  }
  endRun()
  return result.filter((each) => 'start' in each || each.tagName === 'hr' || textOf(each) !== '')
}

const contentsNames = /(^|[\s_-])(toc|contents|menu)([\s_-]|$)/i

/** Recognizes a list of a chapter's sections, or of the book. It tells what a page is, but is no text of it. */
function isContentsList(element: Element, starts: ReadonlySet<string>): boolean {
  const isNamed = contentsNames.test(attribute(element, 'class') ?? '')
  if (!isNamed && !/^[dou]l$/.test(element.tagName)) return false
  const links = elementsNamed(element, 'a').filter((link) => attribute(link, 'href') && !isOfTheWeb(link))
  const linked = links.reduce((sum, link) => sum + textOf(link).length, 0)
  const isLinked = links.length > 1 && linked > textOf(element).length * (isNamed ? 0.5 : 0.9)
  return isLinked && !elementsIn(element).some((each) => starts.has(idOf(each)))
}

/** The lines of a heading group are parts of one heading. */
function asHeadings(group: Element, blocks: (Element | Start)[]) {
  const [heading] = elementsNamed(group, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')
  if (group.tagName !== 'hgroup' || !heading) return blocks
  const { tagName } = heading
  return blocks.map((block) => ('start' in block || block.tagName !== 'p' ? block : { ...block, tagName }))
}

const allowed: Schema = {
  tagNames: [...wholeBlocks, ...'a br dd div dt em li p q strong'.split(' ')],
  attributes: { a: ['href'], ol: ['start'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  required: {},
}

export function markdownOf(blocks: Element[], emphasis: Emphasis): string {
  const children = tidy(blocks, emphasis)
  const tree = toMdast(sanitize({ type: 'root', children }, allowed), { document: true })
  if (tree.type !== 'root') return ''
  const isText = ({ type }: RootContent) => type !== 'thematicBreak'
  const [first, last] = [tree.children.findIndex(isText), tree.children.findLastIndex(isText)]
  tree.children = tree.children.slice(Math.max(0, first), last + 1)
  const headings = tree.children.filter((block) => block.type === 'heading')
  const highest = Math.min(...headings.map(({ depth }) => depth))
  for (const heading of headings) heading.depth = heading.depth === highest ? 2 : 3
  return toMarkdown(tree, { bullet: '-', rule: '-', resourceLink: true }).trim()
}

const renamed: Record<string, string> = { b: 'strong', cite: 'em', i: 'em' }
const nestedBlocks = new Set(['dd', 'div', 'dt', 'li'])

/** Control characters, and overrides of the direction of writing, which disguise text. */
const hidden = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

function tidy(nodes: ElementContent[], emphasis: Emphasis, within = ''): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'text') return within === 'pre' ? linesIn(node.value) : [textNode(node.value)]
    if (node.type !== 'element' || isOmitted(node)) return []
    if (isNumberLink(node) && !/^h[1-6]$/.test(within)) return []
    const children = tidy(node.children, emphasis, isBlock(node) ? node.tagName : within)
    if (isReference(node)) children.unshift(textNode('— '))
    if (node.tagName === 'a' && !isOfTheWeb(node)) return children
    if (node.tagName === 'td' || node.tagName === 'th') return [...children, textNode(' ')]
    const isParagraph = otherBlocks.has(node.tagName) && !nestedBlocks.has(node.tagName)
    const tagName = isParagraph ? 'p' : (renamed[node.tagName] ?? node.tagName)
    return [emphasize({ ...node, tagName, children }, emphasis)]
  })
}

const textNode = (text: string): ElementContent => ({ type: 'text', value: text.replaceAll(hidden, ' ') })

function linesIn(text: string): ElementContent[] {
  const line: Element = { type: 'element', tagName: 'br', properties: {}, children: [] }
  return text.split(/\r?\n/).flatMap((words, at) => (at === 0 ? [textNode(words)] : [line, textNode(words)]))
}

/** A reference to a note, or the number of a paragraph or verse. */
function isNumberLink(element: Element): boolean {
  return element.tagName === 'a' && !isOfTheWeb(element) && /^[[(]?(\d+|[*†‡])[\])]?$/.test(textOf(element))
}

function isReference(element: Element) {
  const names = attribute(element, 'class') ?? ''
  const hasClass = /(^|[\s_-])(attribution|citation|reference|source)([\s_-]|$)/i.test(names)
  return element.tagName === 'p' && hasClass && !/^[—–-]/.test(textOf(element))
}

function emphasize(element: Element, { isItalic, isBold }: Emphasis): Element {
  const names = attribute(element, 'class') ?? ''
  if (element.tagName !== 'span') return element
  const wrap = (tagName: string, child: Element): Element => ({ ...child, tagName, children: [child] })
  const bold = isBold(names) ? wrap('strong', element) : element
  return isItalic(names) ? wrap('em', bold) : bold
}

/** Class names of Sphinx, DocBook, pandoc, LaTeXML and calibre, among others. */
const notes =
  /(^|\s)(foot-?notes?|end-?notes?|footnote-?(text|ref|reference|marker|anchor|list)|ltx_note|ltx_ERROR|notes)(\s|$)/i

function isMark(element: Element) {
  if (typesOf(element).some((type) => /^(noteref|footnotes?|endnotes?|rearnotes?|pagebreak)$/.test(type)))
    return true
  if (notes.test(attribute(element, 'class') ?? '')) return true
  if (element.tagName !== 'sup') return false
  const links = elementsNamed(element, 'a')
  return links.length > 0 && links.every((link) => !isOfTheWeb(link))
}

export function isOfTheWeb(link: Element) {
  return /^(https?:\/\/|mailto:)/i.test(attribute(link, 'href') ?? '')
}

export function plainTextOf(root: Root) {
  return blocksOf(root)
    .map((block) => ('start' in block ? '' : clean(textOf(block))))
    .filter(Boolean)
    .join('\n\n')
}

// Programs write these where an author left a field empty. They are no text.
const placeholder = new RegExp(
  [
    '^[\\[({<"“]*(unknown|unkown|untitled|unnamed|none|null|undefined|n/?a|tba|tbd|not (set|specified|available|known)|',
    '(no|unknown|default|your|enter|insert|sample|add|missing|empty) ?(a |the |your )?(book|document)? ?(title|name|author|author name|creator|writer|artist|description|publisher|language|comments?|summary)s?( name)?( here| yet| available| provided| given| goes here)?|',
    '(untitled|new|unnamed)[ _-]?(book|document|e-?book|project|manuscript)?|do[ck]ument[oe]?|(book )?title|author( name)?|lorem ipsum.*|calibre( .*)?|(microsoft|windows|office)( office)? user|admin(istrator)?|user|powerpoint presentation|python-docx|',
    'unbekannt|ohne titel|unbenannt|inconnue?|sans titre|desconocido|sin t[íi]tulo|sconosciuto|senza titolo|desconhecido|sem t[íi]tulo|onbekend|okänd|namnlös|nieznany|bez (tytułu|nazwy)|',
    'неизвест(ен|но|ный|ный автор)|без названия|неизвестный|без имени|άγνωστος|χωρίς τίτλο|不明|無題|著者不明|未知|佚名|无标题|無標題|مجهول|غير معروف|بدون عنوان|名称未設定|제목 없음|알 수 없음)[ _-]?\\d*[\\])}>"”.!…]*$',
  ].join(''),
  'iu',
)

/** Undefined where nobody has written it. */
export function meaningful(text: string | undefined): string | undefined {
  const words = (text ?? '').trim()
  const isWritten = /[\p{L}\p{N}]/u.test(words) && words !== 'anonymous'
  return isWritten && !placeholder.test(words) ? words : undefined
}

const fileEnding =
  /\.(docx?|dotx?|odt|rtf|wpd|pages|scriv|indd?|idml|qxp|afpub|epub|mobi|azw3?|pdf|x?html?|txt|md|tex|dvi|fb2)$/i
const version =
  /[\s_.(-](v|ver\.?|version|draft|final|rev|copy)[\s_.-]?\d*\)?$|\(\d+\)$|[_.-](final|draft|edit(ed)?|copy|print|proof|ebook|v\d+|\d+(st|nd|rd|th))([_.-]|$)/i

export const isFileName = (text: string) => fileEnding.test(text)

/** Undefined where a program wrote it: the name of a file is no title. */
export function writtenTitle(text: string): string | undefined {
  const name = text.replace(fileEnding, '')
  const isOneWord = !/\s/.test(text)
  const isFile =
    /^microsoft (word|powerpoint|publisher)\s*[-–—]|^[a-z]:|^file:|^\/|\\|%20/i.test(text) ||
    /^[\d\s-]{9,}x?$/i.test(name) ||
    (isOneWord && (name !== text || name.includes('_'))) ||
    ((isOneWord || name !== text || /\d\)?$/.test(name)) && version.test(name))
  return isFile ? undefined : meaningful(name)
}

/** A title of one word in small letters, as folders have it, may be one, too. */
export const isLikeFileName = (title: string) => /^[a-z\d]+([-.][a-z\d]+)+$/.test(title)

// Cuts a text behind a sentence, never within one.
const abbreviation = /(^|[\s(.])(\p{Lu}|mr|mrs|ms|dr|prof|rev|st|no|vol|ch|vs|cf|e\.g|i\.e|etc|al)\.\s*$/iu
/** A shop's page hid the rest here; the sentence before it is cut, too. */
const hiddenRest =
  /(\[(…|\.\.\.)\](\s*[([]?(read|show|see) more[)\]]?)?|(…|\.\.\.)\s*[([]?(read|show|see)? ?more[)\]]?|\(?(read|show) more\)?)\.?\s*$/iu
/** The language is of no weight for the breaks between sentences. */
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Empty where even the first sentence is longer than `maxLength`. */
export function wholeSentences(text: string, maxLength: number): string {
  const isCut = hiddenRest.test(text)
  const whole = text.replace(hiddenRest, '').trim()
  if (!isCut && whole.length <= maxLength) return whole
  const ends = sentenceEnds(whole).filter((end) => end <= maxLength)
  const isLastWhole = !isCut || /[.!?。！？؟]["”’»)]*$/u.test(whole)
  const end = isLastWhole ? ends.at(-1) : ends.findLast((each) => each < whole.length)
  return whole.slice(0, end ?? 0)
}

/** The whole text where it is no longer than `maxLength`, else its first sentence. */
export function leadingSentence(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, sentenceEnds(text)[0] ?? text.length)
}

function sentenceEnds(text: string): number[] {
  return [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const sentence = segment.trimEnd()
    const isEnd = !abbreviation.test(segment) && /[\p{Po}\p{Pf}\p{Pe}"']$/u.test(sentence)
    return isEnd ? [index + sentence.length] : []
  })
}
