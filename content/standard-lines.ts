// Standard lines of an own book's page, in the languages that the shop has texts in.
import { daysPlaceholder, type BookDocument } from '#contract/book/book.ts'
import { legalPageNames, type LegalPageName } from '#contract/book/legal.ts'
import { legalPages } from './legal-pages.ts'

/**
 * What the page can promise of every shop: it shows each line only while it is true. The words that it closes with, above
 * the ways to the book and to the preview. The titles of its legal pages, and what buyers of digital content agree to
 * (article 16, point m, of Directive 2011/83/EU). The author may change all of them.
 */
type Lines = Omit<BookDocument['claims'], 'digital' | 'bonus'> &
  Record<LegalPageName | 'closing' | 'consent', string>

const english: Lines = {
  refund: `${daysPlaceholder}-day money-back guarantee`,
  ships: 'Free shipping for books on paper',
  pdf: 'Instant download, also as a PDF',
  no_pdf: 'Instant download',
  closing: 'Ready for the first page?',
  terms: legalPages.pages.terms.title,
  privacy: legalPages.pages.privacy.title,
  imprint: legalPages.pages.imprint.title,
  consent: legalPages.consent.text,
}

const lines: Record<string, Lines> = {
  en: english,
  de: {
    refund: `${daysPlaceholder} Tage Geld-zurück-Garantie`,
    ships: 'Kostenloser Versand gedruckter Bücher',
    pdf: 'Sofort-Download, auch als PDF',
    no_pdf: 'Sofort-Download',
    closing: 'Bereit für die erste Seite?',
    terms: 'AGB',
    privacy: 'Datenschutz',
    imprint: 'Impressum',
    consent:
      'Ich stimme ausdrücklich zu, dass die digitalen Inhalte sofort, vor Ablauf der Widerrufsfrist von 14 Tagen, bereitgestellt werden, und bestätige meine Kenntnis davon, dass dadurch mit Beginn der Bereitstellung mein Widerrufsrecht dafür erlischt.',
  },
  es: {
    refund: `Devolución del dinero durante ${daysPlaceholder} días`,
    ships: 'Envío gratuito de los libros impresos',
    pdf: 'Descarga inmediata, también en PDF',
    no_pdf: 'Descarga inmediata',
    closing: '¿Empezamos por la primera página?',
    terms: 'Condiciones de venta',
    privacy: 'Privacidad',
    imprint: 'Aviso legal',
    consent:
      'Doy mi consentimiento expreso para que el contenido digital se suministre de inmediato, antes de que termine el plazo de desistimiento de 14 días, y reconozco que, en consecuencia, pierdo mi derecho de desistimiento sobre él una vez que haya comenzado el suministro.',
  },
  fr: {
    refund: `Satisfait ou remboursé pendant ${daysPlaceholder} jours`,
    ships: 'Livraison gratuite des livres imprimés',
    pdf: 'Téléchargement immédiat, aussi en PDF',
    no_pdf: 'Téléchargement immédiat',
    closing: 'Envie de lire la première page\u00a0?',
    terms: 'Conditions de vente',
    privacy: 'Confidentialité',
    imprint: 'Mentions légales',
    consent:
      'Je donne mon consentement exprès à la fourniture immédiate du contenu numérique, avant l’expiration du délai de rétractation de 14 jours, et je reconnais que je perdrai mon droit de rétractation pour ce contenu dès que sa fourniture aura commencé.',
  },
  it: {
    refund: `Rimborso garantito per ${daysPlaceholder} giorni`,
    ships: 'Spedizione gratuita dei libri cartacei',
    pdf: 'Download immediato, anche in PDF',
    no_pdf: 'Download immediato',
    closing: 'Iniziamo dalla prima pagina?',
    terms: 'Condizioni di vendita',
    privacy: 'Privacy',
    imprint: 'Note legali',
    consent:
      'Acconsento espressamente alla fornitura immediata del contenuto digitale, prima della fine del periodo di recesso di 14 giorni, e riconosco di perdere così il diritto di recesso per tale contenuto una volta iniziata la fornitura.',
  },
  ja: {
    refund: `${daysPlaceholder}日間の返金保証`,
    ships: '印刷版は送料無料',
    pdf: 'すぐにダウンロード（PDF付き）',
    no_pdf: 'すぐにダウンロード',
    closing: '最初のページを開いてみませんか',
    terms: '販売条件',
    privacy: 'プライバシー',
    imprint: '運営者情報',
    consent:
      '14日間の撤回期間が終わる前に、デジタルコンテンツが直ちに提供されることに明示的に同意します。提供が始まった時点で、そのコンテンツについての撤回権を失うことを了承します。',
  },
  nl: {
    refund: `Niet goed, geld terug binnen ${daysPlaceholder} dagen`,
    ships: 'Gratis verzending van gedrukte boeken',
    pdf: 'Direct te downloaden, ook als pdf',
    no_pdf: 'Direct te downloaden',
    closing: 'Klaar voor de eerste bladzijde?',
    terms: 'Voorwaarden',
    privacy: 'Privacy',
    imprint: 'Bedrijfsgegevens',
    consent:
      'Ik stem er uitdrukkelijk mee in dat de digitale inhoud onmiddellijk wordt geleverd, vóór het einde van de herroepingstermijn van 14 dagen, en ik erken dat ik daardoor mijn herroepingsrecht voor die inhoud verlies zodra de levering is begonnen.',
  },
  pl: {
    refund: `Zwrot pieniędzy przez ${daysPlaceholder} dni`,
    ships: 'Darmowa wysyłka książek drukowanych',
    pdf: 'Pobieranie od razu, także jako PDF',
    no_pdf: 'Pobieranie od razu',
    closing: 'Czas na pierwszą stronę?',
    terms: 'Regulamin',
    privacy: 'Prywatność',
    imprint: 'Dane sprzedawcy',
    consent:
      'Wyrażam wyraźną zgodę na dostarczenie treści cyfrowych od razu, przed upływem 14-dniowego terminu do odstąpienia od umowy, i przyjmuję do wiadomości, że z chwilą rozpoczęcia ich dostarczania utracę prawo odstąpienia od umowy w tym zakresie.',
  },
  pt: {
    refund: `Garantia de reembolso por ${daysPlaceholder} dias`,
    ships: 'Frete grátis para livros impressos',
    pdf: 'Download imediato, também em PDF',
    no_pdf: 'Download imediato',
    closing: 'Vamos à primeira página?',
    terms: 'Condições de venda',
    privacy: 'Privacidade',
    imprint: 'Informações legais',
    consent:
      'Dou meu consentimento expresso para que o conteúdo digital seja fornecido imediatamente, antes do fim do prazo de retratação de 14 dias, e reconheço que, com isso, perco o direito de retratação em relação a ele assim que o fornecimento tiver começado.',
  },
}

type Book = Pick<BookDocument, 'language' | 'claims' | 'closing' | 'legal'>

/** The field of the document that has a line. */
type LineField = {
  line: keyof Lines
  field: string
  read: (book: Book) => string
  write: (book: Book, text: string) => void
}

const claimFields = (['refund', 'ships', 'pdf', 'no_pdf'] as const).map((line): LineField => ({
  line,
  field: `claims.${line}`,
  read: ({ claims }) => claims[line],
  write: ({ claims }, text) => void (claims[line] = text),
}))

const closingField: LineField = {
  line: 'closing',
  field: 'closing.title',
  read: ({ closing }) => closing.title,
  write: ({ closing }, text) => void (closing.title = text),
}

const titleFields = legalPageNames.map((line): LineField => ({
  line,
  field: `legal.pages.${line}.title`,
  read: ({ legal }) => legal.pages[line].title,
  write: ({ legal }, text) => void (legal.pages[line].title = text),
}))

const consentField: LineField = {
  line: 'consent',
  field: 'legal.consent.text',
  read: ({ legal }) => legal.consent.text,
  write: ({ legal }, text) => void (legal.consent.text = text),
}

const shownFields = [...claimFields, closingField]
const lineFields = [...shownFields, ...titleFields, consentField]

const codeOf = (language: string) => language.split('-', 1)[0]?.toLowerCase() ?? ''

/** English in a language that the shop has no texts in. */
const linesIn = (language: string): Lines => lines[codeOf(language)] ?? english

/** Returns the lines of a new page, in English: `followLanguage` puts them into another language. */
export function newLines(): Pick<BookDocument, 'claims' | 'closing'> {
  const { refund, ships, pdf, no_pdf, closing } = english
  return {
    claims: { refund, ships, pdf, no_pdf, digital: '', bonus: '' },
    closing: { title: closing, line: '' },
  }
}

/** Changes the language of the book. Standard lines that the author has not changed follow it. */
export function followLanguage(book: Book, language: string): void {
  const next = linesIn(language)
  book.language = language
  for (const { line, read, write } of lineFields)
    if (Object.values(lines).some((each) => each[line] === read(book))) write(book, next[line])
}

/** Lists the fields whose standard line is English, though the book is not. Those of the legal pages have warnings of their own. */
export function linesInEnglish(book: Book): { field: string; text: string }[] {
  if (codeOf(book.language) === 'en') return []
  return shownFields
    .filter(({ line, read }) => read(book) === english[line])
    .map(({ field, read }) => ({ field, text: read(book) }))
}
