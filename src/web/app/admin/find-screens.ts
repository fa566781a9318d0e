// The results of the admin area's search: screens and tasks, which it knows by their words, and readers, orders and products,
// which the server finds.
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { manualPath, manualPages } from '#contract/overview/manual.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { responseOf } from '../../api.ts'
import { adminViews } from './admin-views.ts'
import { partTitles, type PartName } from './book/part-titles.ts'
import { adminClient } from './calls.tsx'

/** `words` are further ones that it is found by. */
export type SearchResult = { to: string; title: string; hint: string; words?: string | undefined }

const users = adminClient<UsersApi>()
const orders = adminClient<OrdersApi>()
const products = adminClient<AdminProductsApi>()

const maxOfKind = 5

export async function findRecords(q: string): Promise<SearchResult[]> {
  const [people, bought, sold] = await Promise.all([
    responseOf(users.users.$get({ query: { q } })),
    responseOf(orders.purchases.$get({ query: { q } })),
    responseOf(products.products.$get()),
  ])
  const named = sold.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  return [
    ...people.items.slice(0, maxOfKind).map(({ user_id, display_name, email }) => {
      return {
        to: `/admin/users/${user_id}`,
        title: display_name || email,
        hint: display_name ? email : 'Reader',
      }
    }),
    ...bought.items.slice(0, maxOfKind).map(({ id, number, product, display_name, email }) => ({
      to: `/admin/purchases/${id}`,
      title: `${formatOrderNumber(number)} ${product.name}`,
      hint: display_name || email,
    })),
    ...named.slice(0, maxOfKind).map(({ id, name, format }) => {
      return { to: `/admin/products/${id}`, title: name, hint: `Product, ${format}` }
    }),
  ]
}

const settings = [
  { to: '/admin/settings', title: 'Shop settings', words: 'address currency time zone name' },
  { to: '/admin/mails/settings', title: 'Mail settings', words: 'email smtp server sender dns' },
  { to: '/admin/mails/to-you', title: 'Emails to you', words: 'notifications notices sale summary' },
  { to: '/admin/settings/payments', title: 'Payment settings', words: 'stripe key guest checkout' },
  {
    to: '/admin/settings/shipping',
    title: 'Shipping settings',
    words: 'countries prices address parcels delivery time legal guarantee notice',
  },
  { to: '/admin/settings/tax', title: 'Tax settings', words: 'vat' },
  {
    to: '/admin/settings/letters',
    title: 'Letters to readers',
    words: 'newsletter mailing list subscribers',
  },
  {
    to: '/admin/settings/webhook',
    title: 'Webhook',
    words: 'zapier make n8n mailchimp kit integration automation',
  },
  { to: '/admin/backups/place', title: 'Second place of backups', words: 's3 bucket storage copy hourly' },
  { to: '/admin/backups/passphrase', title: 'Passphrase of backups', words: 'encryption restore print' },
  { to: '/admin/settings/admins', title: 'Admins', words: 'roles rights people second factor' },
]

/** Each task is named in words that authors use, and leads to the screen that begins it. */
const tasks = [
  { to: '/admin/upload', title: 'Upload an ebook', words: 'epub pdf mobi file' },
  { to: '/admin/upload', title: 'New edition: upload its file', words: 'update replace version correct' },
  { to: '/admin/products/new', title: 'Add a product', words: 'new format paperback hardcover bundle' },
  { to: '/admin/products', title: 'Change a price', words: 'cost cheaper' },
  { to: '/admin/products', title: 'Give an excerpt by email', words: 'sample preview free chapter lead' },
  { to: '/admin/products', title: 'Pre-order: set the day of release', words: 'preorder pre order date' },
  { to: '/admin/purchases', title: 'Refund an order', words: 'money back return reimburse cancel' },
  { to: '/admin/shipping', title: 'Ship a parcel', words: 'send post packing slip tracking' },
  { to: '/admin/discounts', title: 'Create a discount code', words: 'coupon voucher sale percent' },
  { to: '/admin/discounts/gifts', title: 'Give a free copy', words: 'review gift press' },
  {
    to: '/admin/book?part=legal',
    title: 'Imprint, terms and privacy policy',
    words: 'legal pages impressum withdrawal gdpr conditions',
  },
  {
    to: '/admin/book?part=title',
    title: 'Change the language of the page',
    words: 'translate translation german french spanish',
  },
  { to: '/admin/book?part=texts', title: 'Change words of pages and emails', words: 'text wording button' },
  {
    to: '/admin/users',
    title: 'Forgot password: help a reader sign in',
    words: 'forgotten lost reset link account',
  },
  { to: '/account', title: 'Change your password', words: 'forgot passkey sessions second factor' },
  { to: '/account', title: 'Open your account', words: 'address sessions second factor' },
  { to: '/admin/settings/admins', title: 'Invite an admin', words: 'add helper assistant team' },
  { to: '/admin/sales', title: 'Export sales', words: 'csv accountant spreadsheet download report' },
  { to: '/admin/setup', title: 'Set up the shop', words: 'own book begin' },
  { to: '/', title: 'View the shop', words: 'home page visitors' },
]

/** What the titles of the parts leave out. */
const wordsOfParts: Partial<Record<string, string>> = {
  title: 'subtitle name',
  looks: 'picture colours theme fonts design',
  author: 'biography about photo',
  preview: 'sample excerpt',
  words: 'contents toc',
  promises: 'money back guarantee stars claims',
  questions: 'faq',
  quotes: 'reviews praise testimonials',
  sections: 'order hide show',
} satisfies Partial<Record<PartName, string>>

const bookParts: readonly SearchResult[] = Object.entries(partTitles).map(([name, title]) => {
  return { to: `/admin/book?part=${name}`, title, hint: 'Book page', words: wordsOfParts[name] }
})

const named = (hint: string, all: readonly Omit<SearchResult, 'hint'>[]): SearchResult[] =>
  all.map(({ to, title, words }) => ({ to, title, hint, words }))

const screens: readonly SearchResult[] = [
  ...named('View', adminViews),
  ...named('Settings', settings),
  ...named('Task', tasks),
  ...manualPages.map(({ name, title }) => ({ to: manualPath(name), title, hint: 'Help' })),
]

/**
 * Returns the screens that have every word of the query: first those that begin with it, then in the order of the navigation,
 * and last the parts of the Book page, which are many.
 */
export function findScreens(query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const matches = screens.filter(({ title, hint, words: more = '' }) => hasAll(`${title} ${hint} ${more}`))
  const listed = new Set(matches.map(({ to }) => to))
  const parts = bookParts.filter(
    ({ to, title, words: more = '' }) => !listed.has(to) && hasAll(`${title} ${more}`),
  )
  const begins = ({ title }: SearchResult) => title.toLowerCase().startsWith(query.trim().toLowerCase())
  return [...matches.filter(begins), ...matches.filter((screen) => !begins(screen)), ...parts]
}

/** The help is the last result, whatever was typed: the manual may have a page that says it. */
export function helpSearch(query: string): SearchResult {
  const q = query.trim()
  return { to: `/admin/help?q=${encodeURIComponent(q)}`, title: `Search the help for “${q}”`, hint: 'Help' }
}
