// Whether a chapter belongs to the front, the body or the back of a book: by its EPUB types, else by title and text.
import type { Chapter } from './contract/read-book.ts'

type ChapterKind = Chapter['kind']

/** EPUB's vocabulary (Structural Semantics 1.1) and that of EPUB 2's guide. */
const typesOfKinds: [ChapterKind, string][] = [
  ['body', 'chapter part prologue epilogue conclusion afterword volume'],
  [
    'front',
    'acknowledgements acknowledgments contributors copyright copyright-page cover dedication epigraph errata foreword frontispiece frontmatter halftitle halftitlepage imprint introduction landmarks loi lot preface preamble seriespage title-page titlepage toc',
  ],
  [
    'back',
    'appendix backmatter bibliography colophon endnotes footnotes glossary index notes other-credits rearnotes',
  ],
]

const frontTitles = new RegExp(
  [
    '^(the )?(cover|half[- ]?title|title ?page|copyright( .*)?|imprint|legal notice|dedication|epigraph|(table of |brief )?contents|toc|',
    'acknowledge?ments?|preface|foreword|introduction|praise( for .*)?|advance praise|list of (figures|illustrations|maps|tables)|frontispiece|',
    'titel(seite|blatt)?|impressum|inhalt(sverzeichnis)?|widmung|vorwort|einleitung|danksagung|urheberrecht|',
    'couverture|page de titre|mentions légales|sommaire|table des matières|dédicace|préface|avant-propos|remerciements|',
    'portada|créditos|derechos de autor|índice|contenido|dedicatoria|prólogo|prefacio|agradecimientos|introducción|',
    'copertina|frontespizio|indice|sommario|dedica|prefazione|introduzione|ringraziamenti|',
    'capa|folha de rosto|sumário|dedicatória|prefácio|introdução|agradecimentos|',
    'omslag|titelpagina|inhoud(sopgave)?|voorwoord|inleiding|',
    'обложка|титульный лист|содержание|оглавление|посвящение|предисловие|введение|εξώφυλλο|περιεχόμενα|πρόλογος|εισαγωγή)$',
  ].join(''),
  'iu',
)
const backTitles =
  /^(the )?(full project gutenberg.*|project gutenberg.*|about (the|this) (authors?|book|publisher|translator)|also by .*|other books by .*|appendix.*|bibliography|colophon|credits|end ?notes|footnotes|glossary|index|notes|works cited|anhang.*|über (den autor|die autorin|das buch)|register|literaturverzeichnis|anmerkungen)$/iu

export type KindEvidence = {
  title: string
  types: string[]
  text: string
  /** The share of its text in links to other pages, 0 to 1. */
  linkShare: number
}

export function findKind(
  { title, types, text, linkShare }: KindEvidence,
  bookTitle: string,
): ChapterKind | undefined {
  for (const [kind, all] of typesOfKinds) if (types.some((type) => all.split(' ').includes(type))) return kind
  if (frontTitles.test(title.trim())) return 'front'
  if (backTitles.test(title.trim())) return 'back'
  if (isCopyright(text) || linkShare > 0.6 || isTitlePage(text, title, bookTitle)) return 'front'
  return types.includes('bodymatter') ? 'body' : undefined
}

function isCopyright(text: string) {
  return text.length < 4_000 && /©|\bISBN\b|all rights reserved|copyright (\(c\) )?\d{4}/i.test(text)
}

function isTitlePage(text: string, title: string, bookTitle: string) {
  const [page, book] = [letters(text), letters(bookTitle)]
  const hasBookTitle = title === '' || letters(title) === book
  return book !== '' && hasBookTitle && text.length < 400 && page.startsWith(book)
}

export function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
