// The templates of the legal pages, and of the consent to instant delivery. The names in braces are filled in: those of the
// author on the screen, the others by the shop.
import type { BookDocument } from '#contract/book/book.ts'
import { blanksIn, englishBlanks, type Legal, type LegalPageName } from '#contract/book/legal.ts'

const terms = `
These are the terms on which *{book}* is sold on this site.

## The seller

{seller}

{address}

Email: [{email}](mailto:{email})

{digital_seller}

## How an order is made

The site shows what is for sale and at what price. With the button under a format you order it. The contract is made when we confirm the order by email with a receipt. You can read and print the receipt at any time: in your account or, if you bought without one, by the link in that email.

## Prices and payment

You pay the price that the site shows when you order. Where taxes or a discount change it, you see the sum before you pay.

## Delivery

Digital content can be downloaded as soon as the order is complete or, if you have pre-ordered it, from the day of its release. A book on paper is sent by post to the address you gave.

{money_back}

{withdrawal}

## What you may do with the files

The files are for your own reading, on as many of your devices as you like. Please do not publish them, sell them or pass copies on.

## If something is wrong

If a file or a book is faulty, write to us. The rights that the law gives you in that case are not limited by these terms.

## Applicable law

The law of this country applies: {law}. If you buy as a consumer, you also keep the protection that the mandatory law of the country you live in gives you.
`

const privacy = `
This page says what this site stores about you, why, and for how long.

## Who is responsible

{seller}

{address}

Email: [{email}](mailto:{email})

## Reading without an account

You can read the public pages without telling us anything. The site sets no cookies, counts no visitors, and loads nothing from other companies. Its log holds no names, no email addresses and no IP addresses. Your browser keeps what you have typed into forms until you close the tab and, once you sign in, your session and a random number by which the shop tells whether a browser is new to your account. If you buy without an account, it keeps your email address and the proof that opens the order, for your newest twenty orders: until you open one there that can no longer be given back, or delete the data of this site.

## What is stored, and for how long

{stored_data}

## Why

Accounts, orders, parcels, downloads and receipts are stored to fulfil the contract with you, and because the law asks for business records. What is stored about sign-ins, security and abuse protects your account and the shop. Messages are stored to answer them.

## Who else receives it

- The site and its data are kept by {host}.
- Emails reach you through the mail provider that the shop uses.
- If you pay online, you pay on the pages of Stripe. The shop tells Stripe your email address and your order; Stripe tells the shop that you have paid, the name you gave and, for a parcel, where it goes. The shop never sees the number of your card.
- A parcel's carrier receives your name and address.

Nothing is sold, or given to others for advertising.

## Your rights

You may ask what is stored about you, have it corrected, deleted or handed to you, and object to its use. Write to [{email}](mailto:{email}). Some records, as those of orders, must be kept by law and cannot be deleted at once.

You may also complain to a supervisory authority. For us this is {authority}.
`

const imprint = `
{seller}

{address}

Represented by: {represented_by}

Email: [{email}](mailto:{email})

Phone: {phone}

Register: {register}

VAT ID: {tax_number}

Responsible for the content: {responsible}
`

export const legalTexts = { terms: terms.trim(), privacy: privacy.trim(), imprint: imprint.trim() }

export const legalPages: Legal = {
  blanks: {
    seller: '',
    address: '',
    email: '',
    law: '',
    host: '',
    represented_by: '',
    phone: '',
    register: '',
    tax_number: '',
    responsible: '',
    authority: '',
  },
  maker: '',
  eu_person: '',
  pages: {
    terms: { is_shown: false, title: 'Terms', text: legalTexts.terms },
    privacy: { is_shown: false, title: 'Privacy', text: legalTexts.privacy },
    imprint: { is_shown: false, title: 'Imprint', text: legalTexts.imprint },
  },
  consent: {
    is_asked: false,
    text: 'I expressly agree that the digital content is delivered at once, before the withdrawal period of 14 days is over, and I acknowledge that I thereby lose my right of withdrawal for it once its delivery has begun.',
  },
}

/** Tells whether a text is still the template, which is English, in a book of another language. */
export function isTemplateInEnglish(
  { language, legal }: Pick<BookDocument, 'language' | 'legal'>,
  name: LegalPageName | 'consent',
): boolean {
  const textIn = (each: Legal) => (name === 'consent' ? each.consent.text : each.pages[name].text)
  return !isEnglish(language) && textIn(legal) === textIn(legalPages)
}

export const isEnglish = (language: string) => /^en\b/i.test(language)

/** Lists the blanks of a page that the shop fills in in English, in a book of another language. */
export function blanksInEnglish(
  { language, legal, refund_days }: Pick<BookDocument, 'language' | 'legal' | 'refund_days'>,
  name: LegalPageName,
): string[] {
  if (isEnglish(language)) return []
  const named = blanksIn(legal.pages[name].text)
  return englishBlanks.filter((blank) => named.includes(blank) && (blank !== 'money_back' || refund_days > 0))
}
