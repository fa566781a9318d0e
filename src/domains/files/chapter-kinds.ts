// Whether a piece of a book is a chapter, a part's own page, or matter before or behind them.
import type { Chapter } from '#contract/files/read-book.ts'
import { isChapterTitle, isNumbered, letters, numberWord, ordinal, withoutNumber } from './titles.ts'

type ChapterKind = Chapter['kind']

/** EPUB's vocabulary (Structural Semantics 1.1) and that of EPUB 2's guide. Programs use its words as classes and names, too. */
const typesOfKinds = {
  part: 'part volume',
  body: 'chapter prologue epilogue conclusion afterword',
  front:
    'acknowledgements acknowledgments contributors copyright copyright-page copyrightpage cover coverpage cover-page dedication epigraph errata foreword frontispiece frontmatter halftitle half-title half-title-page halftitlepage imprint introduction landmarks legal legalnotice license licence loi lot nav navigation preface preamble series-page seriespage title title-page titlepage toc table-of-contents contents contents-page also-by alsoby about-this-book praise',
  back: 'about-the-author about-author abouttheauthor appendix backmatter back-matter bibliography colophon endnotes footnotes genindex glossary index notes other-credits rearnotes',
} satisfies Record<ChapterKind, string>
const kinds = ['part', 'body', 'front', 'back'] as const
/** Of class names and file names these say too little: a heading's class is `title`, the first page's name is `index`. */
const vague = new Set(['title', 'index', 'legal', 'cover', 'contents', 'notes'])

const frontTitles = new RegExp(
  [
    '^(the )?(cover( page| image)?|front cover|(half|bastard|full)[- ]?title( ?page)?|title( ?page)?|copyright( .*)?|imprint|legal notice|disclaimer|dedication|epigraph|(table of |brief )?contents|toc|',
    "acknowledge?ments?|((author|translator|editor)(’|')?s )?(preface|foreword)( to .*)?|(author|translator|editor|publisher)(’|')?s note( .*)?|introduction|praise( for .*)?|advance praise|list of (figures|illustrations|maps|tables)|(list|cast) of characters|dramatis person(ae|æ)|frontispiece|",
    '(schmutz)?titel(seite|ei|blatt)?|umschlag|cover(bild)?|impressum|inhalt(sverzeichnis|sübersicht)?|widmung|motto|vorwort|geleitwort|vorbemerkung|einleitung|danksagung|dank|urheberrecht|',
    'couverture|(faux[- ])?titre|page de titre|mentions légales|sommaire|table des matières|dédicace|épigraphe|préface|avant-propos|remerciements|',
    'portad(a|illa)|cubierta|créditos|derechos de autor|índice|contenido|dedicatoria|epígrafe|prólogo|prefacio|agradecimientos|introducción|',
    'copertina|frontespizio|colophon|indice|sommario|dedica|epigrafe|prefazione|introduzione|ringraziamenti|',
    'capa|folha de rosto|sumário|dedicatória|prefácio|introdução|agradecimentos|',
    'okładka|(strona|karta) (tytułowa|redakcyjna)|spis treści|dedykacja|przedmowa|słowo wstępne|wstęp|podziękowania|od (autora|autorki|tłumacza|wydawcy)|prawa autorskie|',
    'omslag|titelpagina|inhoud(sopgave)?|opdracht|voorwoord|inleiding|dankwoord|',
    'обложка|титул(ьный лист)?|содержание|оглавление|посвящение|предисловие|введение|от автора|выходные данные|зміст|передмова|εξώφυλλο|περιεχόμενα|πρόλογος|προοίμιο|πρόλογοϲ|εισαγωγή|αφιέρωση|',
    '目次|目錄|目录|もくじ|表紙|扉|題扉|まえがき|はじめに|序|序文|序言|前言|自序|凡例|封面|书名页|書名頁|版权(页|信息)?|版權(頁|信息)?|献词|獻詞|차례|목차|서문|머리말|표지|',
    'المحتويات|فهرس|الفهرس|مقدمة|المقدمة|تمهيد|إهداء|الغلاف|תוכן( עניינים)?|הקדמה|מבוא)$',
  ].join(''),
  'iu',
)
/** With a number they are chapters. */
export const introductions =
  /^(introduction|einleitung|einführung|introducción|introduzione|introdução|inleiding|введение|εισαγωγή|序論|序章|緒論|绪论|導論|导论|서론|مقدمة|מבוא)$/iu
const backTitles =
  /^(the )?(full project gutenberg.*|project gutenberg.*|about (the|this|our) (authors?|book|publisher|translator|e-?book|edition|document|text|series|type)|(end )?licen[cs]e( .*)?|a note on the (type|text|translation)|also by .*|other books by .*|appendix.*|bibliography|colophon|credits|end ?notes|footnotes|glossary|index|notes|works cited|anhang.*|über (den autor|die autorin|das buch)|register|literaturverzeichnis|anmerkungen|à propos (de|du) .*|du même auteur|notes de bas de page|sobre (el|la|o|a) .*|note|nota del .*|(o|od) (autorze|autorce|autorach|książce)|przypisy|bibliografia|indeks|słownik|dodatek|dodatki|примечания|комментарии|приложение.*|об авторе|об (этой|этом|издании) ?.*|о книге|лицензия|библиография|указатель|σημειώσεις|παράρτημα.*|βιβλιογραφία|あとがき|奥付|注|註|注釈|著者(紹介|について)|后记|後記|附录.*|附錄.*|作者简介|作者簡介|關於作者|关于作者|ملحق.*|حواشي|عن المؤلف)$/iu

const [maxPartText, maxPartIntroduction] = [400, 2_000]
/** “Part” and “book” with a number; `part` alone is a title, too. */
const partNames =
  'part|book|volume|section|teil|buch|band|partie|livre|tome|parte|libro|volumen|deel|boek|del|część|část|bölüm|часть|книга|том|частина|μέρος|βιβλίο|الجزء|الباب|القسم|חלק'
const partTitles = new RegExp(
  String.raw`^(?:(?:${partNames})\s+(?:\d+|[ivxlc]+|the \p{L}+|[אבגדהו]׳?|${numberWord})|(?:the\s+)?(?:${ordinal}|${numberWord})\s+(?:${partNames}))(?![\p{L}\p{N}]).*|^第?[一二三四五六七八九十百\d]+\s*[部编編卷巻篇](?:[\s：:].*)?$|^제?\s*\d+\s*부(?![\p{L}\p{N}]).*`,
  'iu',
)

export type KindEvidence = {
  title: string
  types: string[]
  /** Class names around the text, and the file's name. */
  hints: string[]
  text: string
  linkShare: number
}

export type AboutBook = { title: string; subtitle: string; authors: readonly string[] }

const maxTitle = 600

/** And without the signs around it: “[Epigraph]”. */
const withoutPlainNumber = (title: string) =>
  title
    .slice(0, maxTitle)
    .trim()
    .replace(/^(\d+(\.\d+)*[.:)]?|[ivxlc]+[.:)])\s+/i, '')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, '')

export const isPartTitle = (title: string) => partTitles.test(withoutPlainNumber(title))

export const isMatterTitle = (title: string): boolean => matterOf(title) !== undefined

/** Several titles in one are judged by the first: “Title Page and Copyright”. */
function matterOf(title: string): 'front' | 'back' | undefined {
  const pieces = title.slice(0, maxTitle).split(/\s+(?:and|und|et|y|e|i|&)\s+|\s*[/|]\s*/iu)
  const kinds = [[title], pieces].map((all) =>
    all.map((piece) => {
      const words = withoutPlainNumber(piece)
      return frontTitles.test(words) ? 'front' : backTitles.test(words) ? 'back' : undefined
    }),
  )
  return kinds.find((kind) => !kind.includes(undefined))?.[0]
}

export const kindNamed = (names: readonly string[]) =>
  kinds.find((kind) => names.some((name) => typesOfKinds[kind].split(' ').includes(name)))

export function findKind({ title, types, hints, text, linkShare }: KindEvidence, about: AboutBook) {
  const named = kindNamed(types)
  if (named) return named === 'part' && text.length > maxPartIntroduction ? 'body' : named
  const words = withoutPlainNumber(title)
  // A part may list its chapters.
  if (partTitles.test(words) && (text.length < maxPartText || linkShare > 0.6)) return 'part'
  const isChapter = isNumbered(title)
  if (isChapter && introductions.test(withoutNumber(title))) return 'body'
  const matter = matterOf(title)
  if (matter) return matter
  const hinted = kindNamed(hints.filter((hint) => !vague.has(hint)))
  const isHinted = hinted === 'part' ? text.length < maxPartText : hinted !== 'front' || !isChapter
  if (hinted && isHinted) return hinted
  if (isCopyright(text) || isLicence(title, text) || (linkShare > 0.6 && !isChapter)) return 'front'
  if (isTitlePage(text, title, about)) return 'front'
  return types.includes('bodymatter') ? 'body' : undefined
}

function isCopyright(text: string) {
  return text.length < 4_000 && /©|\bISBN\b|all rights reserved|copyright (\(c\) )?\d{4}/i.test(text)
}

/** A chapter may speak of licences, too: only a page without a title of its own is judged by it. */
function isLicence(title: string, text: string) {
  const isShort = title === '' && text.length < 2_000
  return (
    isShort &&
    /\blicen[cs]|public domain|creative commons|project gutenberg|лиценз|общественн\S+ достояни|lizenz|licencia|licenza|domaine public|ライセンス|著作権|版权所有|版權所有|حقوق/iu.test(
      text,
    )
  )
}

const maxTitlePage = 400
const maxBesideTitle = 120

/** It holds the title and the author, and hardly more. */
function isTitlePage(text: string, title: string, { title: book, subtitle, authors }: AboutBook) {
  // Old books have a second title behind a comma.
  const [main = ''] = book.split(/[,;:(–—]/)
  const names = [`${book}${subtitle}`, book, main].map(letters).filter(Boolean)
  const own = letters(title)
  if (names.length === 0 || text.length > maxTitlePage || isChapterTitle(title)) return false
  const page = letters(text)
  const isNamed = own === '' || names.includes(own)
  if (isNamed && names.some((name) => page.startsWith(name))) return true
  const writers = authors.map(letters)
  const matches = [...names, letters(subtitle), ...writers].filter(
    (each) => each !== '' && page.includes(each),
  )
  const hasBoth =
    matches.some((each) => names.includes(each)) && matches.some((each) => writers.includes(each))
  const rest = matches.reduce((left, each) => left.replace(each, ''), page)
  return (isNamed ? own !== '' || matches.length > 0 : hasBoth) && rest.length < maxBesideTitle
}
