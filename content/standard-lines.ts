// Standard lines of an own book's page, in the languages that the shop has texts in.
import { daysPlaceholder, type BookDocument } from '#contract/book/book.ts'

/**
 * What the page can promise of every shop: it shows each line only while it is true. And the words that it closes with,
 * above the ways to the book and to the preview. The author may change all of them.
 */
type Lines = Omit<BookDocument['claims'], 'digital' | 'bonus'> & { closing: string }

const english: Lines = {
  refund: `${daysPlaceholder}-day money-back guarantee`,
  ships: 'Free shipping for books on paper',
  pdf: 'Instant download, also as a PDF',
  no_pdf: 'Instant download',
  closing: 'Ready for the first page?',
}

const lines: Record<string, Lines> = {
  en: english,
  de: {
    refund: `${daysPlaceholder} Tage Geld-zurück-Garantie`,
    ships: 'Kostenloser Versand gedruckter Bücher',
    pdf: 'Sofort-Download, auch als PDF',
    no_pdf: 'Sofort-Download',
    closing: 'Bereit für die erste Seite?',
  },
  es: {
    refund: `Devolución del dinero durante ${daysPlaceholder} días`,
    ships: 'Envío gratuito de los libros impresos',
    pdf: 'Descarga inmediata, también en PDF',
    no_pdf: 'Descarga inmediata',
    closing: '¿Empezamos por la primera página?',
  },
  fr: {
    refund: `Satisfait ou remboursé pendant ${daysPlaceholder} jours`,
    ships: 'Livraison gratuite des livres imprimés',
    pdf: 'Téléchargement immédiat, aussi en PDF',
    no_pdf: 'Téléchargement immédiat',
    closing: 'Envie de lire la première page\u202f?',
  },
  it: {
    refund: `Rimborso garantito per ${daysPlaceholder} giorni`,
    ships: 'Spedizione gratuita dei libri cartacei',
    pdf: 'Download immediato, anche in PDF',
    no_pdf: 'Download immediato',
    closing: 'Iniziamo dalla prima pagina?',
  },
  ja: {
    refund: `${daysPlaceholder}日間の返金保証`,
    ships: '印刷版は送料無料',
    pdf: 'すぐにダウンロード（PDF付き）',
    no_pdf: 'すぐにダウンロード',
    closing: '最初のページを開いてみませんか',
  },
  nl: {
    refund: `Niet goed, geld terug binnen ${daysPlaceholder} dagen`,
    ships: 'Gratis verzending van gedrukte boeken',
    pdf: 'Direct te downloaden, ook als pdf',
    no_pdf: 'Direct te downloaden',
    closing: 'Klaar voor de eerste bladzijde?',
  },
  pl: {
    refund: `Zwrot pieniędzy przez ${daysPlaceholder} dni`,
    ships: 'Darmowa wysyłka książek drukowanych',
    pdf: 'Pobieranie od razu, także jako PDF',
    no_pdf: 'Pobieranie od razu',
    closing: 'Czas na pierwszą stronę?',
  },
  pt: {
    refund: `Garantia de reembolso por ${daysPlaceholder} dias`,
    ships: 'Frete grátis para livros impressos',
    pdf: 'Download imediato, também em PDF',
    no_pdf: 'Download imediato',
    closing: 'Vamos à primeira página?',
  },
}

const claimNames = ['refund', 'ships', 'pdf', 'no_pdf'] as const

const codeOf = (language: string) => language.split('-', 1)[0]?.toLowerCase() ?? ''

/** English in a language that the shop has no texts in. */
export const linesIn = (language: string): Lines => lines[codeOf(language)] ?? english

const isStandard = (name: keyof Lines, text: string) =>
  Object.values(lines).some((each) => each[name] === text)

/** Changes the language of the book. Standard lines that the author has not changed follow it. */
export function followLanguage(
  document: Pick<BookDocument, 'language' | 'claims' | 'closing'>,
  language: string,
): void {
  const { closing, ...claims } = linesIn(language)
  document.language = language
  for (const name of claimNames)
    if (isStandard(name, document.claims[name])) document.claims[name] = claims[name]
  if (isStandard('closing', document.closing.title)) document.closing.title = closing
}

/** Lists the fields whose standard line is English, though the book is not. */
export function linesInEnglish({
  language,
  claims,
  closing,
}: Pick<BookDocument, 'language' | 'claims' | 'closing'>): { field: string; text: string }[] {
  if (codeOf(language) === 'en') return []
  return [
    ...claimNames.map((name) => ({ name, field: `claims.${name}`, text: claims[name] })),
    { name: 'closing' as const, field: 'closing.title', text: closing.title },
  ].filter(({ name, text }) => text === english[name])
}
