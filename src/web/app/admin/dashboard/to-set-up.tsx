// The steps that the setup of the shop lacks: one line on the first screen, which opens the list.
import { useEffect, useState, type ReactNode } from 'react'
import { useRouteLoaderData, Link } from 'react-router'
import type { Verdict } from '#contract/checks.ts'
import { describeVerdict } from '#contract/verdict-words.ts'
import { dayMs } from '#contract/durations.ts'
import type { FirstSteps, SiteAddress } from '#contract/setup/setup.ts'
import { ChevronDown } from '../../../components/further-icons.tsx'
import type { clientLoader as adminLoader } from '../admin.tsx'
import { Circle, TriangleAlert } from '../icons.tsx'
import { ActionLinks } from '../links.tsx'

/** `short` is its name in the line; an urgent one opens the list, as nobody can buy or sign in safely. */
type Item = { title: string; short: string; how: ReactNode; isUrgent?: boolean }

type ToSetUpProps = {
  firstSteps: FirstSteps | undefined
  address: Promise<SiteAddress | undefined>
  /** The list is open until the first sale. */
  isOpen: boolean
}

export function hasOpenSteps(firstSteps: FirstSteps | undefined): boolean {
  return firstSteps !== undefined && stepItems(firstSteps).length > 0
}

export function ToSetUp({ firstSteps, address, isOpen }: ToSetUpProps) {
  const factor = useFactorItem()
  const site = useAddress(address)
  const items = [
    ...(firstSteps ? stepItems(firstSteps) : []),
    ...(site ? addressItems(site) : []),
    factor,
  ].filter((item) => item !== undefined)
  if (items.length === 0) return null
  const isUrgent = items.some((item) => item.isUrgent)
  const Icon = isUrgent ? TriangleAlert : Circle
  return (
    <details open={isUrgent || isOpen} className="group min-w-0 rounded-md border border-line bg-surface">
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-5 sm:flex-nowrap py-3 [&::-webkit-details-marker]:hidden">
        <Icon aria-hidden className={`size-5 shrink-0 ${isUrgent ? 'text-danger' : 'text-gold-text'}`} />
        <h2 className="shrink-0 font-semibold">
          {firstSteps ? `${items.length} ${items.length === 1 ? 'thing' : 'things'} to set up` : 'To set up'}
        </h2>
        <span className="min-w-0 grow text-sm text-pretty text-soft group-open:hidden max-sm:order-last max-sm:basis-full max-sm:pl-8">
          {items.map(({ short }) => short).join(' · ')}
        </span>
        <ChevronDown aria-hidden className="ml-auto size-5 shrink-0 text-soft group-open:rotate-180" />
      </summary>
      <ul className="grid gap-x-10 gap-y-4 border-t border-line px-5 py-4 sm:grid-cols-2">
        {items.map(({ title, how }) => (
          <li key={title} className="min-w-0">
            <h3 className="font-semibold">{title}</h3>
            <p className="mt-0.5 text-sm text-pretty break-words text-soft [&_:is(a,button)]:text-ink [&_:is(a,button)]:underline [&_:is(a,button)]:underline-offset-4">
              {how}
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Undefined until the shop has asked its own address, which may take seconds. */
function useAddress(address: Promise<SiteAddress | undefined>): SiteAddress | undefined {
  const [result, setResult] = useState<SiteAddress>()
  useEffect(() => {
    let isCurrent = true
    void address.then((each) => isCurrent && setResult(each))
    return () => {
      isCurrent = false
    }
  }, [address])
  return result
}

const name = 'factor-notice-until'
const pauseMs = 30 * dayMs

/** Asks an admin for a second factor, in each browser once in 30 days. */
function useFactorItem(): Item | undefined {
  const frame = useRouteLoaderData<typeof adminLoader>('admin/admin')
  const [isPaused, setIsPaused] = useState(() => Number(localStorage.getItem(name)) > Date.now())
  if (frame?.me?.has_factor !== false || isPaused) return undefined
  function pause() {
    localStorage.setItem(name, String(Date.now() + pauseMs))
    setIsPaused(true)
  }
  return {
    title: 'Protect your account',
    short: 'Second factor',
    how: (
      <>
        Whoever learns your password has the whole shop. Add a passkey or an authenticator app:{' '}
        <Link to="/account">add a second factor</Link> ·{' '}
        <button type="button" className="cursor-pointer" onClick={pause}>
          Not now
        </button>
      </>
    ),
  }
}

type StepName = FirstSteps['steps'][number]['name']

function checkItem(title: string, short: string, check: Verdict): Item {
  return {
    title,
    short,
    how: (
      <>
        {describeVerdict(check)} <ActionLinks actions={check.actions} />
      </>
    ),
  }
}

const steps: Record<Exclude<StepName, 'mail' | 'payments'>, Item> = {
  admin: { title: 'Make your admin account', short: 'Admin', how: 'You are signed in with it.' },
  words: {
    title: 'Write your own page',
    short: 'Page',
    how: (
      <>
        Visitors still read the sample’s page. Change its words under <Link to="/admin/book">Book page</Link>,
        and publish them.
      </>
    ),
  },
  book: {
    title: 'Put your own book in',
    short: 'Book',
    how: (
      <>
        What is sold now is the sample. <Link to="/admin/setup">Bring your book</Link>: its file fills in the
        page and the products.
      </>
    ),
  },
  purchase: {
    title: 'Buy your own book once',
    short: 'A test order',
    how: (
      <>
        Go to the <a href="/#book-sales">shop</a> as a reader would, and see that email and file arrive.
      </>
    ),
  },
}

function stepItems({ steps: all, setup_step, sale_mode, checks }: FirstSteps): Item[] {
  // A book that its author gives away needs no payments.
  const payments = sale_mode === 'free' ? undefined : checks.payments
  const isUrgent = sale_mode === 'key_missing' || sale_mode === 'not_for_sale'
  const items: Record<StepName, Item | undefined> = {
    ...steps,
    // The setup that was begun brings the own page and book, which can be bought once it is done.
    ...(setup_step && { words: undefined, book: undefined, purchase: undefined }),
    // Nobody can buy it yet.
    ...(isUrgent && { purchase: undefined }),
    mail: checks.mail && checkItem('Let the shop send email', 'Email', checks.mail),
    payments: payments && { ...checkItem('Take payments', 'Payments', payments), isUrgent },
  }
  return all.flatMap(({ name, is_done }) => (is_done ? [] : (items[name] ?? [])))
}

/** An address that is not on the internet has no line here: Today says what it lacks. */
function addressItems({ check, proxy }: SiteAddress): Item[] {
  const address = { ...checkItem('Correct the shop’s address', 'Address', check), isUrgent: true }
  return [
    ...(check.state === 'wrong' ? [address] : []),
    ...(proxy ? [checkItem('Trust the proxy in front of the shop', 'Proxy', proxy)] : []),
  ]
}
