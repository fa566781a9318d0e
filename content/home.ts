// The home page's own words: change them together with content/book.ts.
import { book } from './book.ts'
import { replyTime } from '#features/messages/contract/reply-time.ts'
import { refundDays } from '#features/payments/contract/refund-period.ts'
import type { Format } from '#features/products/contract/products.ts'

export const blueprint = {
  title: 'A blueprint for faith',
  lead: 'Two houses can look alike from the road. What tells them apart when the storm comes lies underneath, where no visitor ever looks.',
  text: 'This book is about what lies underneath: nine words of Scripture, in the order in which a life is built on them.',
  /** How the words belong together; each part names how many of them it takes, in their order. */
  parts: [
    { takes: 1, title: 'The ground', line: 'Everything stands on what God has done.' },
    { takes: 1, title: 'The door', line: 'The only sensible answer to it.' },
    { takes: 4, title: 'The rooms', line: 'What a child may look for from such a Father.' },
    { takes: 2, title: 'The beams', line: 'For the long middle of the road.' },
    { takes: 1, title: 'The light', line: 'The reason for the first word, and for all.' },
  ],
} as const

export const invitation = {
  title: 'A personal invitation',
  paragraphs: [
    'You need not be an expert to begin, nor feel particularly devout. You may have believed for fifty years, or be standing on the porch wondering whether anyone is home.',
    'Read one chapter a day, or one a week. Each ends with a prayer to pray or a question to carry into an ordinary Tuesday. Come as you are, and stay as long as you like.',
  ],
} as const

/** Each stands under the products while those for sale make it true: see offers.ts. */
export const claims = [
  { when: 'always', text: `${refundDays}-day money-back guarantee` },
  { when: 'ships', text: 'Free shipping for physical items' },
  { when: 'pdf', text: 'Instant download and PDF for digital' },
  { when: 'noPdf', text: 'Instant download for digital' },
  { when: 'digital', text: 'Lifetime access' },
  { when: 'bonus', text: 'Exclusive bonus for the bundle' },
] as const

/** As promised above; shown to a buyer's bank when it asks. */
export const refundPolicy = `${refundDays}-day money-back guarantee: within ${refundDays} days of a purchase the buyer may have all of the money back, without giving a reason, by a button on the dashboard or by writing to the author. Access to digital files ends with a full refund.`

/** What each format is called. */
export const formatWords: Record<Format, { name: string }> = {
  digital: { name: 'Digital' },
  paperback: { name: 'Paperback' },
  hardcover: { name: 'Hardcover' },
  bundle: { name: 'Bundle' },
}

/** Beneath the first chapter at /preview. */
export const afterPreview = 'Eight more words follow'

export const contact = {
  lead: 'A question, a correction, a story of your own: every message is read.',
  direct: {
    title: 'Write directly',
    line: book.author.email
      ? `Letters are answered within ${replyTime}.`
      : `The form goes straight to the author. You will have an answer within ${replyTime}.`,
  },
  speaking: {
    title: 'Invite the author to speak',
    line: 'Churches, retreats and reading groups are welcome to ask. Tell us the date, the place and who will be there.',
    subject: 'An invitation to speak',
  },
} as const

export const closing = {
  title: 'Nine words. One foundation.',
  line: 'Begin with the first of them tonight.',
} as const
