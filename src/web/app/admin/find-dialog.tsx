// The search of the admin area. A combobox by the ARIA Authoring Practices: the focus stays in the field, and the arrow keys
// choose in the list.
import { useEffect, useState, useId, useRef, type KeyboardEvent } from 'react'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { responseOf } from '../../api.ts'
import { adminClient } from './calls.tsx'
import { useNavigate } from 'react-router'
import { Search } from '../../components/further-icons.tsx'
import { adminViews } from './admin-views.ts'
import { manualPath, manualPages } from '#contract/overview/manual.ts'

const users = adminClient<UsersApi>()
const orders = adminClient<OrdersApi>()
const products = adminClient<AdminProductsApi>()

const pauseMs = 200
const minLength = 2
const maxOfKind = 5

type Records = { query: string; found: Place[]; isFailed: boolean }

/** Readers, orders and products that the server finds, a moment after the last letter. */
function useRecords(typed: string): Records & { isSearching: boolean } {
  const query = typed.trim()
  const isAsked = query.length >= minLength
  const [records, setRecords] = useState<Records>({ query: '', found: [], isFailed: false })
  useEffect(() => {
    if (!isAsked) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      const show = (places: Place[], isFailed = false) => {
        if (isCurrent) setRecords({ query, found: places, isFailed })
      }
      findRecords(query).then(show, () => show([], true))
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query, isAsked])
  if (!isAsked) return { query, found: [], isFailed: false, isSearching: false }
  return { ...records, isSearching: records.query !== query }
}

async function findRecords(q: string): Promise<Place[]> {
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

const maxPlaces = 8

export default function FindDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const { found, isFailed, isSearching } = useRecords(query)
  const results = [...findPlaces(query).slice(0, maxPlaces), ...found]
  const chosen = Math.min(at, results.length - 1)
  useEffect(() => {
    const here = dialog.current
    here?.showModal()
    return () => here?.close()
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  function open({ to }: Place) {
    onClose()
    void navigate(to)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || results.length === 0) return
    const result = results[chosen]
    if (event.key === 'ArrowDown') setAt((chosen + 1) % results.length)
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + results.length) % results.length)
    else if (event.key === 'Enter' && result) open(result)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      aria-label="Find"
      closedby="any"
      className="mx-auto mt-[10vh] w-[min(38rem,calc(100vw-2.5rem))] overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-2xl backdrop:bg-black/60"
      onClose={onClose}
    >
      <div className="relative border-b border-line">
        <Search aria-hidden className="pointer-events-none absolute top-4 start-4 size-5 text-soft" />
        <input
          role="combobox"
          aria-label="Find readers, orders, products, views and settings"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={results.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder="Reader, order, product, view or setting"
          className="min-h-13 w-full bg-transparent ps-12 pe-4 outline-none"
          value={query}
          onChange={({ target }) => {
            setQuery(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-[50vh] overflow-y-auto p-2">
        {results.map((result, nth) => (
          <Result
            key={`${result.to} ${result.title}`}
            id={`${id}-${nth}`}
            result={result}
            isChosen={nth === chosen}
            onChoose={() => setAt(nth)}
            onOpen={() => open(result)}
          />
        ))}
      </div>
      <Outcome count={results.length} isSearching={isSearching} isFailed={isFailed} />
    </dialog>
  )
}

type ResultProps = { id: string; result: Place; isChosen: boolean; onChoose: () => void; onOpen: () => void }

function Result({ id, result: { title, hint }, isChosen, onChoose, onOpen }: ResultProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className="flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-2.5 aria-selected:bg-ink/8"
      onPointerMove={onChoose}
      onClick={onOpen}
    >
      <span className="min-w-0 truncate font-semibold">{title}</span>
      <span className="max-w-[45%] shrink-0 truncate text-sm text-soft">{hint}</span>
    </div>
  )
}

function Outcome({
  count,
  isSearching,
  isFailed,
}: {
  count: number
  isSearching: boolean
  isFailed: boolean
}) {
  const says = isSearching
    ? 'Searching…'
    : isFailed
      ? 'Readers, orders and products could not be searched. Please try again.'
      : count === 0
        ? 'Nothing found'
        : ''
  return (
    <p role="status" className={says ? 'px-5 pb-4 text-sm text-soft' : 'sr-only'}>
      {says || `${count} ${count === 1 ? 'result' : 'results'}`}
    </p>
  )
}

export type Place = { to: string; title: string; hint: string; words?: string | undefined }

const settings = [
  { to: '/admin/settings', title: 'Shop settings', words: 'address currency time zone name keyboard' },
  { to: '/admin/mails/settings', title: 'Mail settings', words: 'email smtp server sender dns' },
  { to: '/admin/mails/to-you', title: 'Emails to you', words: 'notifications notices sale summary' },
  { to: '/admin/settings/payments', title: 'Payment settings', words: 'stripe key refund guest checkout' },
  {
    to: '/admin/settings/shipping',
    title: 'Shipping settings',
    words: 'countries prices address parcels delivery time legal guarantee notice',
  },
  { to: '/admin/settings/tax', title: 'Tax settings', words: 'vat' },
  { to: '/admin/backups/place', title: 'Second place of backups', words: 's3 bucket storage copy hourly' },
  { to: '/admin/backups/passphrase', title: 'Passphrase of backups', words: 'encryption restore print' },
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

/** The places that the search finds without asking the server: views, settings and what can be done. */
const places: readonly Place[] = [
  ...named('View', adminViews),
  ...named('Settings', settings),
  ...named('Action', actions),
  ...manualPages.map(({ name, title }) => ({ to: manualPath(name), title, hint: 'Help' })),
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
