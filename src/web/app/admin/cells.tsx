// Rows, columns, badges and facts that several screens of the admin area show.
import { createElement, Fragment, type ReactNode } from 'react'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import { isCompleted } from '#contract/orders/purchase-status.ts'
import { NameLink } from './links.tsx'
import { readableAddress } from './readable-address.ts'
import { formatDate, formatMoney, Time, toDecimal } from '../../format/format.tsx'
import { Badge, type BadgeLook } from '../../components/note.tsx'
import { StatusBadge, TestBadge } from '../../purchase/status-badge.tsx'
import { belowOnPhone, endBelowOnPhone, endOnPhone, titleOnPhone, type Column } from '../table.tsx'
import type { Role } from '#contract/accounts/accounts.ts'
import type { MailStatus } from '#contract/mail/mails.ts'
import { buttonClass } from '../../components/button.tsx'
import { ExternalLink } from '../../components/further-icons.tsx'
import type { MessageState } from '#contract/readers/messages.ts'

type OrderRowProps = {
  order: Pick<Order, 'id' | 'number' | 'amount' | 'currency' | 'created_at'>
  product: string
  format?: ReactNode
  buyer: string
  badges: ReactNode
}

/** The list aligns the columns of its rows, whatever badges stand in them. */
export function OrderRows({ children }: { children: ReactNode }) {
  return (
    <ul className="divide-y divide-line md:grid md:grid-cols-[minmax(14rem,1fr)_repeat(4,auto)] md:gap-x-5">
      {children}
    </ul>
  )
}

export function OrderRow({ order, product, format, buyer, badges }: OrderRowProps) {
  const { id, number, amount, currency, created_at } = order
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm tabular-nums md:col-span-full md:grid md:grid-cols-subgrid">
      <div className="min-w-0 max-md:w-full">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
          <NameLink to={`/admin/purchases/${id}`}>{product}</NameLink>
          {format}
        </p>
        <p className="break-words text-soft">{buyer}</p>
      </div>
      <span className="text-soft">{formatOrderNumber(number)}</span>
      <span className="font-semibold md:text-right">{formatMoney(amount, currency)}</span>
      <Time at={created_at} format={formatDate} className="text-soft" />
      <span>{badges}</span>
    </li>
  )
}

type OrderBadgesProps = {
  order: Pick<
    Order,
    'status' | 'is_test' | 'is_given' | 'is_received' | 'code' | 'release_on' | 'open_withdrawal'
  >
}

export function OrderBadges({ order }: OrderBadgesProps) {
  const { status, is_given, is_received, code, release_on, open_withdrawal } = order
  return (
    <span className="inline-flex flex-wrap gap-1.5 max-sm:justify-end">
      <StatusBadge status={status} />
      {open_withdrawal && (
        <Badge look="toned">{open_withdrawal === 'law' ? 'withdrawn' : 'refund requested'}</Badge>
      )}
      <TestBadge order={order} />
      {is_given && <Badge>free copy</Badge>}
      {is_received && <Badge>gift</Badge>}
      {code && <Badge>code {code}</Badge>}
      {release_on && isCompleted(status) && <Badge>pre-order</Badge>}
    </span>
  )
}

/** A long address is broken after its @ and before its dots, and anywhere only where a part is longer than the line. */
export function EmailAddress({ children }: { children: string }) {
  const [first, ...others] = children.split(/(?<=@)|(?=\.)/)
  return createElement(Fragment, undefined, first, ...others.flatMap((part) => [createElement('wbr'), part]))
}

/** The link covers its whole row. */
function OrderLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <NameLink to={`/admin/purchases/${id}`} className="after:absolute after:inset-0">
      {children}
    </NameLink>
  )
}

const customerColumn: Column<Order> = {
  title: 'Customer',
  onPhone: titleOnPhone,
  cell: ({ id, display_name, email }) => (
    <OrderLink id={id}>
      {display_name || <EmailAddress>{readableAddress(email) || 'Erased account'}</EmailAddress>}
    </OrderLink>
  ),
}

const numberColumn: Column<Order> = {
  title: 'Order',
  onPhone: belowOnPhone,
  cell: ({ number }) => formatOrderNumber(number),
}

const ownNumberColumn: Column<Order> = {
  title: 'Order',
  onPhone: titleOnPhone,
  cell: ({ id, number }) => <OrderLink id={id}>{formatOrderNumber(number)}</OrderLink>,
}

const orderFacts: Column<Order>[] = [
  {
    title: 'Format',
    onPhone: belowOnPhone,
    cell: ({ product: { name, format, is_one_of_several } }) => (
      <>
        <span className="inline-block first-letter:uppercase">{format}</span>
        {is_one_of_several && <span className="text-soft">{` · ${name}`}</span>}
      </>
    ),
  },
  {
    title: 'Amount',
    align: 'right',
    onPhone: endBelowOnPhone,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    title: 'Date',
    isOneLine: true,
    onPhone: `${belowOnPhone} max-sm:text-soft`,
    cell: ({ created_at }) => <Time at={created_at} format={formatDate} />,
  },
  {
    title: 'Status',
    isOneLine: true,
    // Several badges stand below one another, beside the name.
    onPhone: `${endOnPhone} max-sm:max-w-1/2`,
    cell: (order) => <OrderBadges order={order} />,
  },
]

export const orderColumns = [customerColumn, numberColumn, ...orderFacts]
/** The columns of a list of one reader's orders. */
export const ownOrderColumns = [ownNumberColumn, ...orderFacts]

export function RoleBadge({ roles }: { roles: readonly Role[] }) {
  if (roles.includes('admin')) return <Badge look="highlighted">Admin</Badge>
  return <Badge>{roles.includes('moderator') ? 'Moderator' : 'User'}</Badge>
}

export const mailStatusLooks: Record<MailStatus, { label: string; look: BadgeLook }> = {
  sent: { label: 'Sent', look: 'highlighted' },
  waiting: { label: 'Waiting', look: 'toned' },
  failed: { label: 'Failed', look: 'danger' },
  unsent: { label: 'Unsent', look: 'plain' },
}

export function MailStatusBadge({ status }: { status: MailStatus }) {
  const { label, look } = mailStatusLooks[status]
  return <Badge look={look}>{label}</Badge>
}

export function eventDetail(detail: Record<string, unknown>): [name: string, words: string][] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [
      name.replaceAll('_', ' '),
      inWords(value, amounts.has(name) ? toDecimal : String),
    ])
}

/** Other numbers in the log are counts, days and percentages. */
const amounts = new Set(['amount', 'amount_off', 'asked', 'paid', 'price'])

type FormatNumber = (value: number) => string

function inWords(value: unknown, format: FormatNumber): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return format(value)
  if (value === null || value === '') return 'nothing'
  if (Array.isArray(value)) return value.map((each) => inWords(each, format)).join(', ') || 'none'
  if (isChange(value)) return `from ${quoted(value.from, format)} to ${quoted(value.to, format)}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Quotation marks show where one text ends and the other begins. */
function quoted(value: unknown, format: FormatNumber): string {
  return typeof value === 'string' && value.includes(' ') ? `“${value}”` : inWords(value, format)
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

/** A network address as a person reads it. */
export function formatNetwork(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d)/i, '')
  return address === '::1' || address === '::/64' || address.startsWith('127.') ? 'this machine' : address
}

export type FactList = readonly (readonly [name: string, value: ReactNode])[]

/** Each name beside its value; a fact without a value is left out. */
export function Facts({ facts, className }: { facts: FactList; className: string }) {
  return (
    <dl className={`grid gap-y-1 text-sm [&_dt]:text-soft ${className}`}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type FactProps = { name: string; className?: string; children: ReactNode }

/** The name above its value, in a `<dl>`. */
export function Fact({ name, className, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

/** Names and ids that a person does not need, and someone who helps may ask for. */
export function ForSupport({ children }: { children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer rounded-sm text-soft hover:text-ink">For support</summary>
      {children}
    </details>
  )
}

export function OpenAtStripe({ url }: { url: string | null | undefined }) {
  if (!url) return null
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
      Open at Stripe
      <ExternalLink aria-hidden className="size-4" />
    </a>
  )
}

export const messageStateNames: Record<MessageState, string> = {
  new: 'New',
  answered: 'Answered',
  done: 'Done',
}

export function MessageStateBadge({ state }: { state: MessageState }) {
  return (
    <Badge look={state === 'new' ? 'highlighted' : 'plain'}>{messageStateNames[state].toLowerCase()}</Badge>
  )
}
