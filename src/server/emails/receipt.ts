// Confirms a purchase and says how to get what was bought.
import { book } from '#content/book.ts'
import { formatWords } from '#content/home.ts'
import type { Format } from '#contract/products.ts'
import type { Letter } from '../adapters/mail.ts'
import { button, composeLetter, facts, paragraph, quiet } from './letter.ts'

type Receipt = {
  siteUrl: string
  to: string
  display_name: string | null
  purchase_id: string
  product_name: string
  format: Format
  is_digital: boolean
  amount: number
  created_at: Date
}

export async function receiptLetter(receipt: Receipt): Promise<Letter> {
  const { siteUrl, to, display_name, product_name, is_digital, format } = receipt
  const amount = `$${receipt.amount.toFixed(2)}`
  const ships = format !== 'digital'
  const rendered = await composeLetter({
    subject: `Your receipt for ${product_name}`,
    preview: is_digital ? 'Your download is ready.' : 'We will process your order shortly.',
    title: 'Thank you for your purchase',
    siteUrl,
    children: [
      paragraph(display_name ? `Dear ${display_name},` : 'Dear reader,'),
      is_digital &&
        paragraph(
          'Your book is ready. Open your dashboard, sign in with this e-mail address and press Download.',
        ),
      ships && paragraph('We will process your order shortly.'),
      button(is_digital ? 'Get your book' : 'See your purchase', `${siteUrl}/dashboard`),
      facts([
        ['Book', product_name],
        ['Format', formatWords[format].name],
        ['Amount', amount],
        ['Date', longDate(receipt.created_at)],
        ['Purchase', receipt.purchase_id],
      ]),
      quiet('If the book does not suit you, write to us within 30 days and you get your money back.'),
      quiet('Questions? Answer this mail, or write from the contact form on the site.'),
    ],
  })
  return { ...rendered, to }
}

function longDate(date: Date): string {
  return date.toLocaleDateString(book.language, { dateStyle: 'long', timeZone: 'UTC' })
}
