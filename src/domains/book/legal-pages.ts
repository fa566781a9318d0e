// The legal pages as visitors see them. One with an open blank is not shown.
import { siteTexts } from '#words/site.ts'
import { standardWording } from '#words/texts.ts'
import { withTexts } from '#words/wording.ts'
import { fullTitle, type BookDocument } from '#contract/book/book.ts'
import { asksConsent, fillBlanks, isReady, legalPageNames } from '#contract/book/legal.ts'
import type { ShownBook, ShownLegalPage } from '#contract/book/shown-book.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { parseMarkdown } from './markdown.ts'
import { storedData } from './stored-data.ts'
import { unconfirmedDays } from '#domains/mail/confirmations.ts'
import { proofDays } from '#domains/mail/subscribers.ts'
import { linkDays, refundConditions } from '#contract/orders/prices.ts'

export function showLegal({ legal }: Pick<BookDocument, 'legal'>): ShownBook['legal'] {
  const { pages, consent } = legal
  return {
    pages: legalPageNames
      .filter((name) => isReady(name, legal))
      .map((name) => ({ name, title: pages[name].title })),
    consent: asksConsent(consent) ? consent.text : null,
    returns_to: returnAddress(legal),
    says_return_cost: isReady('terms', legal) && pages.terms.text.includes('{withdrawal}'),
  }
}

/** An address that no page shows stays the author’s. */
function returnAddress(legal: BookDocument['legal']): string | null {
  const { seller, address } = legal.blanks
  const isShown = legalPageNames.some(
    (name) => isReady(name, legal) && legal.pages[name].text.includes('{address}'),
  )
  if (!isShown) return null
  const lines = [seller, ...address.split('\n')].map((line) => line.trim())
  return lines.filter(Boolean).join(', ')
}

export type LegalFacts = {
  /** The shop sells where the law gives a right of withdrawal. */
  hasWithdrawal: boolean
  /** The mail program of the author's letters, empty without one; null where there are no letters. */
  lettersProgram: string | null
  /** Visitors get an excerpt by email. */
  givesExcerpt: boolean
  digitalSeller: Seller
}

export function showLegalPages(document: BookDocument, facts: LegalFacts): ShownLegalPage[] {
  const { pages, blanks } = document.legal
  const own = Object.fromEntries(Object.entries(blanks).map(([name, value]) => [name, escape(value)]))
  const ofShop = shopValues(document, facts)
  return showLegal(document).pages.map(({ name, title }) => ({
    name,
    title,
    blocks: parseMarkdown(fillBlanks(fillBlanks(pages[name].text, ofShop), own)),
  }))
}

function shopValues(
  document: BookDocument,
  { hasWithdrawal, lettersProgram, givesExcerpt, digitalSeller }: LegalFacts,
): Record<string, string> {
  const { refund_days } = document
  const { consent } = showLegal(document)
  return {
    book: escape(fullTitle(document)),
    author: escape(document.author.name),
    stored_data: [
      storedData,
      ...(lettersProgram === null ? [] : [lettersData(lettersProgram)]),
      ...(givesExcerpt ? [excerptData] : []),
    ].join('\n'),
    money_back: refund_days > 0 ? refundText(refund_days) : '',
    withdrawal: hasWithdrawal ? withdrawal(consent) : '',
    digital_seller: digitalSeller === 'stripe' ? soldByLink : '',
  }
}

/** “Sold through Link, LLC” is the name in docs.stripe.com/payments/managed-payments/tax-compliance. */
const soldByLink = `**Files.** A file that you can download at once is sold by Link, a company of Stripe (Sold through Link, LLC): it takes your payment and sends you its receipt and the invoice. Books on paper, bundles and pre-orders are sold by us. The page says before you pay who sells, and your receipt says it afterwards. Wherever you bought, we deliver the file, and you may withdraw here and ask us for a refund; you may also ask [Link](https://support.link.com).`

function lettersData(program: string): string {
  const sentWith = program ? ` They are sent with ${escape(program)}, which receives your address.` : ''
  return `- **Letters**: if you ask for letters by email, your email address, the words that you agreed to, where and when you agreed, and when you confirmed and left.${sentWith} You can leave at any time. It is kept for ${proofDays / 365} years after that, as proof, unless you have it deleted; an address that is not confirmed, for ${unconfirmedDays} days, or ${linkDays} where the receipt asked.`
}

const excerptData = `- **Excerpt**: if you ask for the excerpt, your email address, whether you ticked the box for letters, and how often your link gave the file. This is deleted after ${unconfirmedDays} days.`

/** The text is English, whatever the language of the book, as all that is filled in. */
function refundText(days: number): string {
  const conditions = withTexts(standardWording, () => refundConditions({ ships: true }))
  return `## Refunds

If the book does not suit you, ask for a refund within ${days} days of buying it, or of its release where it comes out later: by the button beside your purchase, or by writing to us. ${conditions} This promise stands beside the rights that the law gives you and does not limit them.`
}

/**
 * The text follows the model instructions and the model form in Annex I of Directive 2011/83/EU. Its button has the
 * book's words.
 */
function withdrawal(consent: string | null): string {
  return `## Right of withdrawal

If you are a consumer in the European Union, you may withdraw from the contract within 14 days without giving any reason. For a book on paper, the period ends 14 days after the day on which you, or somebody you name who is not the carrier, receive it; for digital content, 14 days after the day of the contract.

You may withdraw on [a page of this site](/withdraw), “${siteTexts.withdraw}”, which is linked at the foot of the book’s page and at your order. We acknowledge it at once, with its content and the time.

Or tell us so by another clear statement, for example a letter or an email. You may use the form below, but it is not obligatory. It is enough that you send your statement before the period is over.

By email: [{email}](mailto:{email})

If you withdraw, we pay back all payments received from you, the costs of standard delivery included, without undue delay and not later than 14 days after we have heard from you. We use the means of payment that you used, and there are no fees for you. We may wait until we have the book back, or until you show that you have sent it, whichever is earlier. Please send it back within 14 days of telling us. You bear the direct cost of sending it back, and are liable for a loss of its value only where it comes from handling beyond what is needed to look at it.

${waiver(consent)}### Model withdrawal form

> Addressed to {seller}, [{email}](mailto:{email}):
> I hereby give notice that I withdraw from my contract of sale of the following goods, or for the supply of the following digital content:
> Ordered on, received on:
> Name of the consumer:
> Address of the consumer:
> Signature (only on paper), date:`
}

function waiver(consent: string | null): string {
  if (consent === null) return ''
  return `**Digital content.** Before you buy digital content we ask you to agree: “${escape(consent)}” With this consent the right of withdrawal for the digital content ends when its delivery begins.

`
}

/** Returns Markdown that shows the very words. Lines stay lines. */
function escape(words: string): string {
  return words.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`).replaceAll('\n', '\\\n')
}
