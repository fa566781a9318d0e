// Where the search of the admin area leads without asking the server: its views, its settings and what can be done.
import { manualPages } from '#contract/operations/manual.ts'
import { adminViews } from '../admin-nav.tsx'

export type Place = { to: string; title: string; hint: string; words?: string | undefined }

const settings = [
  { to: '/admin/settings', title: 'Shop settings', words: 'address currency time zone name' },
  { to: '/admin/settings/mail', title: 'Mail settings', words: 'email smtp server sender dns' },
  { to: '/admin/settings/emails', title: 'Emails to you', words: 'notifications notices sale summary' },
  { to: '/admin/settings/payments', title: 'Payment settings', words: 'stripe key refund guest checkout' },
  { to: '/admin/settings/shipping', title: 'Shipping settings', words: 'countries prices address parcels' },
  { to: '/admin/settings/tax', title: 'Tax settings', words: 'vat' },
  { to: '/admin/settings/admins', title: 'Admins', words: 'roles rights people second factor' },
]

const actions = [
  { to: '/admin/upload', title: 'Upload an ebook', words: 'epub pdf mobi edition file' },
  { to: '/admin/products/new', title: 'Add a product', words: 'new format paperback hardcover bundle' },
  { to: '/admin/setup', title: 'Set up the shop', words: 'own book begin' },
  { to: '/', title: 'View the shop', words: 'home page visitors' },
  { to: '/account', title: 'Open your account', words: 'password passkey sessions address second factor' },
]

const named = (hint: string, all: readonly Omit<Place, 'hint'>[]): Place[] =>
  all.map(({ to, title, words }) => ({ to, title, hint, words }))

const users = { to: '/admin/users', title: 'Users', words: 'readers accounts people' }

const places: readonly Place[] = [
  ...named('View', [...adminViews, users]),
  ...named('Settings', settings),
  ...named('Action', actions),
  ...manualPages.map(({ name, title }) => ({ to: `/admin/help/${name}`, title, hint: 'Help' })),
]

/** Those that have every word of the query, the best first: what begins with it, then the order of the navigation. */
export function findPlaces(query: string): Place[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = places.filter(({ title, hint, words: more = '' }) => {
    const text = `${title} ${hint} ${more}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const begins = ({ title }: Place) => title.toLowerCase().startsWith(query.trim().toLowerCase())
  return [...matches.filter(begins), ...matches.filter((place) => !begins(place))]
}
