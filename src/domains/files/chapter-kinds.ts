// Titles as contents and headings have them, with the number before them or without; and whether a piece of a book is a
// chapter, a part's own page, or matter before or behind them.
import type { Chapter } from '#contract/files/read-book.ts'

export function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** A letter alone may be a word, such as “I”. */
const numeral = String.raw`(\d+(\.\d+)*|[ivxlcdm]{2,}|[ivx](?!\s*\p{L})|[a-z](?=[.):]))`
const numberWords = [
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty',
  'first second third fourth fifth sixth seventh eighth ninth tenth',
  'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'premier première deux deuxième trois troisième quatre quatrième cinq cinquième six sixième sept septième huit huitième neuf neuvième dix dixième',
  'primero primera uno dos segundo segunda tres tercero tercera cuatro cuarto cinco quinto seis sexto siete séptimo ocho octavo nueve noveno diez décimo',
  'primo prima due secondo terzo quattro quarto cinque sei sesto sette settimo otto ottavo nove nono dieci decimo primeiro terceiro sétimo oitavo',
  'seconda terza quarta quinta sesta settima ottava nona decima primeira terceira sexta sétima oitava',
  'pierwsza pierwszy druga drugi trzecia trzeci czwarta czwarty piąta piąty szósta szósty siódma siódmy ósma ósmy dziewiąta dziesiąta',
  'первая вторая третья четвёртая четвертая пятая шестая седьмая восьмая девятая десятая одиннадцатая двенадцатая',
  'πρώτο δεύτερο τρίτο τέταρτο πέμπτο έκτο έβδομο όγδοο ένατο δέκατο الأول الثاني الثالث الرابع الخامس السادس السابع الثامن التاسع العاشر',
].flatMap((words) => words.split(' '))
const numberWord = String.raw`(?:${numberWords.join('|')})(?![\p{L}\p{N}])`
const ordinal =
  'erste[rs]?|zweite[rs]?|dritte[rs]?|vierte[rs]?|fünfte[rs]?|sechste[rs]?|siebte[rs]?|siebente[rs]?|achte[rs]?|neunte[rs]?|zehnte[rs]?|elfte[rs]?|zwölfte[rs]?'
const label =
  'chapter|part|book|section|appendix|canto|letter|kapitel|teil|anhang|chapitre|partie|annexe|appendice|capítulo|capitulo|apéndice|apêndice|capitolo|parte|hoofdstuk|deel|bijlage|rozdział|kapitola|kapittel|bilaga|bölüm|fejezet|capitol|capitolul|глава|часть|приложение|розділ|κεφάλαιο|μέρος|παράρτημα|الفصل|الجزء|ملحق|פרק|חלק|נספח|부록|付録|附录|附錄'
const han = '[一二三四五六七八九十百千〇零\\d０-９]+'

/** “Chapter 3.”, “3.”, “III”, “Erstes Kapitel”, “第三章”, “제3장” before a title. */
const numbering = new RegExp(
  String.raw`^\s*(?:(?:${label})\s*(?:${numeral}|${numberWord}(?:-${numberWord})?)(?![\p{L}\p{N}])|(?:the|${ordinal})\s+(?:${numberWord}\s+)?(?:${label})(?![\p{L}\p{N}])|${numberWord}\s+(?:${label})(?![\p{L}\p{N}])|${numeral}(?=[.:)\s—–-]|$)|第\s*${han}\s*[章回話话節节部篇編编夜幕卷巻]|제?\s*\d+\s*[장부편권화절](?![\p{L}\p{N}]))[\s.:)—–-]*`,
  'iu',
)

function withoutNumber(title: string): string {
  return title.replace(numbering, '').trim()
}

/** A number and nothing else: “Chapter 3”, “III.”. */
export function isNumber(text: string): boolean {
  return text.trim() !== '' && withoutNumber(text) === ''
}

/** True where a number stands before it. */
export function isNumbered(title: string): boolean {
  return withoutNumber(title) !== title.trim()
}

/** “Chapter” with a number, or a number alone. */
export function isChapterTitle(text: string): boolean {
  return isNumber(text) || isLabelled(text)
}

/** “Chapter” with a number. */
export function isLabelled(text: string): boolean {
  return (
    isNumbered(text) &&
    /^(chapter|kapitel|chapitre|cap[íi]tulo|capitolo|глава|κεφάλαιο|第.+[章回夜])\s*\S/iu.test(text)
  )
}

/** Recognizes the names that programs give a piece without a title. */
export function isGeneric(title: string): boolean {
  return /^(start( reading)?|begin(ning)?( reading)?|commencer la lecture|lesebeginn|comenzar a leer|inizia a leggere|section|untitled|unnamed|document|page|text|body|html|index|main|content|part|split|chapter)?[\s_-]*\d*(\.x?html?)?$/i.test(
    title.replace(/^(chapter|part)\s+\d+$/i, 'x'),
  )
}

const maxTitle = 600

export function isSameTitle(one: string, other: string): boolean {
  if (one.length > maxTitle || other.length > maxTitle) return false
  const isEqual = letters(one) === letters(other)
  const [bare, otherBare] = [letters(withoutNumber(one)), letters(withoutNumber(other))]
  return isEqual || (bare !== '' && bare === otherBare)
}

export function joinTitles(titles: string[]): string {
  return titles.reduce(
    (all, title) =>
      all === '' ? title : /^(\d+|[ivxlc]+)$/i.test(all) ? `${all}. ${title}` : `${all}: ${title}`,
    '',
  )
}

/** A character of Chinese or Japanese says what several letters do. */
export function weightOf(text: string): number {
  const han = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0
  return text.length + 2 * han
}

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
/** Class names and file names of these say too little: a heading's class is `title`, the first page's name is `index`. */
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
/** Titles that make chapters with a number. */
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

/** Drops the signs around it, too: “[Epigraph]”. */
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
  if (isByline(title, about) && text.length < maxPartIntroduction) return 'front'
  const hinted = kindNamed(hints.filter((hint) => !vague.has(hint)))
  const isHinted = hinted === 'part' ? text.length < maxPartText : hinted !== 'front' || !isChapter
  if (hinted && isHinted) return hinted
  if (isCopyright(text) || isLicence(title, text) || (linkShare > 0.6 && !isChapter)) return 'front'
  if (isTitlePage(text, title, about)) return 'front'
  return types.includes('bodymatter') ? 'body' : undefined
}

const byWord = /^(?:by|von|par|por|di|door|av|af|de|autor:?|автор:?)\s+/iu

/** “By Jane Austen” as a heading of its own, as Project Gutenberg has it. */
function isByline(title: string, { authors }: AboutBook): boolean {
  const line = title.slice(0, maxTitle).trim()
  const name = letters(line.replace(byWord, ''))
  return byWord.test(line) && name !== '' && [authors.join(''), ...authors].map(letters).includes(name)
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
