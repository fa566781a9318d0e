import { useState, type ReactNode, Suspense } from 'react'
import { useRouteLoaderData, Link, Await } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Callout, Badge, Note } from '../../../components/note.tsx'
import type { clientLoader as adminLoader } from '../admin.tsx'
import { TextLink, StrongLink } from '../links.tsx'
import { Check, BookOpen, Download } from '../../../components/icons.tsx'
import { Circle, TriangleAlert, Banknote, Users } from '../icons.tsx'
import type { SaleMode } from '#contract/catalog/products.ts'
import type { FirstSteps, SiteAddress } from '#contract/operations/setup.ts'
import { Card, StatCard, LoadFailed } from '../../card.tsx'
import { ShoppingBag } from '../../../components/further-icons.tsx'
import type { FirstStepsApi } from '#domains/operations/setup.routes.ts'
import type { TodayApi } from '#domains/operations/attention.routes.ts'
import type { ReportsApi } from '#domains/operations/reports.routes.ts'
import type { SalesTotals } from '#contract/operations/sales.ts'
import { responseOf } from '../../../api.ts'
import { formatCount } from '../../../format.tsx'
import { Money } from '../../../money.tsx'
import { changedSaleMode } from '../../../page-state.ts'
import { adminClient, load } from '../calls.tsx'
import type { Route } from './+types/dashboard.ts'
import { SalesChartView } from '../sales/chart.tsx'
import { OrderRow, OrderBadges } from '../cells.tsx'
import { Today, readWaiting } from './today.tsx'

const name = 'factor-notice-until'
const pauseMs = 30 * 86_400_000

/** Asks an admin for a second factor, in each browser once in 30 days. */
function FactorNotice() {
  const frame = useRouteLoaderData<typeof adminLoader>('admin/admin')
  const [isPaused, setIsPaused] = useState(() => Number(localStorage.getItem(name)) > Date.now())
  if (frame?.me?.has_factor !== false || isPaused) return null
  function pause() {
    localStorage.setItem(name, String(Date.now() + pauseMs))
    setIsPaused(true)
  }
  return (
    <Callout role="note" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0">
        Whoever learns your password has the whole shop. A passkey or an authenticator app keeps it yours:{' '}
        <TextLink to="/account">add a second factor</TextLink>.
      </p>
      <Button look="quiet" className="-my-2" onClick={pause}>
        Not now
      </Button>
    </Callout>
  )
}

type StepName = FirstSteps['steps'][number]['name']

const stepTexts: Record<StepName, { title: string; how: ReactNode }> = {
  admin: { title: 'Make your admin account', how: 'You are signed in with it.' },
  mail: {
    title: 'Let the shop send email',
    how: (
      <>
        Enter your mail server under <Link to="/admin/settings/mail">Settings</Link>. Until then you can read
        each email under <Link to="/admin/mails">Mail</Link>.
      </>
    ),
  },
  payments: {
    title: 'Take payments',
    how: (
      <>
        Paste your Stripe key under <Link to="/admin/settings/payments">Settings</Link>: the test key first,
        then the live one.
      </>
    ),
  },
  words: {
    title: 'Write your own page',
    how: (
      <>
        What visitors read is the sample’s. Change its words under <Link to="/admin/book">Book</Link> and
        publish them.
      </>
    ),
  },
  book: {
    title: 'Put your own book in',
    how: (
      <>
        What is sold now is the sample. <Link to="/admin/setup">Bring your book</Link>: its file fills in the
        page and the products.
      </>
    ),
  },
  purchase: {
    title: 'Buy your own book once',
    how: (
      <>
        Go to the <a href="/#book-sales">shop</a> as a reader would, and see that email and file arrive.
      </>
    ),
  },
}

function FirstStepsCard({ steps }: Pick<FirstSteps, 'steps'>) {
  const done = steps.filter(({ is_done }) => is_done).length
  if (done === steps.length) return null
  return (
    <Card
      title="First steps"
      action={
        <span className="text-sm text-soft tabular-nums">
          {done} of {steps.length} done
        </span>
      }
    >
      <ol className="grid gap-x-8 gap-y-4 px-5 py-4 sm:grid-cols-2">
        {steps.map(({ name, is_done }) => (
          <Step key={name} isDone={is_done} {...stepTexts[name]} />
        ))}
      </ol>
    </Card>
  )
}

function Step({ isDone, title, how }: { isDone: boolean; title: string; how: ReactNode }) {
  const Icon = isDone ? Check : Circle
  return (
    <li className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isDone ? 'text-success' : 'text-soft'}`} />
      <div className={isDone ? 'text-soft' : ''}>
        <p className="font-semibold">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': still to do'}</span>
        </p>
        {!isDone && (
          <p className="mt-0.5 text-sm text-soft [&_a]:underline [&_a]:underline-offset-4">{how}</p>
        )}
      </div>
    </li>
  )
}

const paymentsLink = (text: string) => <TextLink to="/admin/settings/payments">{text}</TextLink>

const sales: Record<Exclude<SaleMode, 'paid'>, ReactNode> = {
  sample: 'No money is taken: without a payment provider every purchase completes at once.',
  free: (
    <>
      Your book is free for everybody: each order completes at once, and nothing is charged.{' '}
      {paymentsLink('Change that')}
    </>
  ),
  not_for_sale: (
    <>
      Your book is not for sale yet: its cards say “Available soon”, because the shop takes no payments.{' '}
      {paymentsLink('Connect Stripe, or give it away for free')}
    </>
  ),
  key_missing: (
    <>
      Nothing is for sale: this shop used to have a Stripe key and has none now. Without one it would give
      your book away. Set STRIPE_SECRET_KEY again where the shop is started, or{' '}
      {paymentsLink('paste the key')}.
    </>
  ),
}

const testMode = 'Payments run on test keys: no card is charged, and no money is taken.'

function MoneyBanner({ payments, sale_mode }: Pick<FirstSteps, 'payments' | 'sale_mode'>) {
  if (sale_mode !== 'paid') return <Banner>{sales[sale_mode]}</Banner>
  return payments === 'test' ? <Banner>{testMode}</Banner> : null
}

type AddressProps = { address: SiteAddress | undefined; isLocal: boolean }

/** Of an address that is not on the internet, Today says what it lacks. */
function AddressBanner({ address, isLocal }: AddressProps) {
  const isUnsafe = address && !address.is_https && !isLocal
  if (!address || (!isUnsafe && !address.fault)) return null
  return (
    <Banner>
      {isUnsafe && (
        <span>{`The shop’s address, ${address.url}, has no https: what visitors type, passwords included, can be read on the way. `}</span>
      )}
      {address.fault && <span>{`Visitors may not reach the shop: ${address.fault}. `}</span>}
      <TextLink to="/admin/settings">Set the address</TextLink>
    </Banner>
  )
}

function ProxyBanner({ address }: { address: SiteAddress | undefined }) {
  if (!address?.is_proxy_ignored) return null
  return (
    <Banner>
      Visitors reach the shop through a proxy that it does not trust, so its limits count all visitors as one:
      one person guessing passwords keeps everybody else from signing in. Set TRUST_PROXY=1 where the shop is
      started (with several proxies in a row, their number), and have the proxy send X-Forwarded-For.
    </Banner>
  )
}

function Banner({ children }: { children: ReactNode }) {
  return (
    <Callout role="note" className="flex gap-3">
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0 text-gold-text" />
      <span className="min-w-0 break-words">{children}</span>
    </Callout>
  )
}

const salesApi = adminClient<ReportsApi>()
const stepsApi = adminClient<FirstStepsApi>()
const todayApi = adminClient<TodayApi>()

export function clientLoader() {
  return load('Failed to fetch sales data', async () => {
    // Not waited for: the shop asks its own address, which may take seconds.
    const address = responseOf(stepsApi.address.$get()).catch(() => undefined)
    const [sales, chart, firstSteps, today, waiting] = await Promise.all([
      responseOf(salesApi.sales.$get()),
      responseOf(salesApi.sales.chart.$get()),
      // The figures do not wait for files that cannot be looked at now.
      responseOf(stepsApi['first-steps'].$get()).catch(() => undefined),
      responseOf(todayApi.today.$get()).catch(() => undefined),
      readWaiting(),
    ])
    if (firstSteps) changedSaleMode.set(firstSteps.sale_mode)
    return { ...sales, chart, firstSteps, address, today, waiting }
  })
}

export default function AdminDashboard({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <LoadFailed card="Sales" title="The figures could not be loaded" />
  const { totals, recent, chart, firstSteps, address, today, waiting } = loaderData
  return (
    <div className="grid gap-6">
      <Today waiting={waiting} today={today} />
      <FactorNotice />
      <Suspense>
        <Await resolve={address}>
          {(result) => (
            <>
              <AddressBanner address={result} isLocal={Boolean(today?.local_site)} />
              <ProxyBanner address={result} />
            </>
          )}
        </Await>
      </Suspense>
      {firstSteps && (
        <>
          <MoneyBanner {...firstSteps} />
          <FirstStepsCard steps={firstSteps.steps} />
        </>
      )}
      <Totals totals={totals} />
      {totals.total_purchases > 0 && (
        <Card
          title="The last 30 days"
          action={
            <StrongLink to="/admin/sales" className="text-sm">
              All sales
            </StrongLink>
          }
        >
          <SalesChartView chart={chart} />
        </Card>
      )}
      <Card title="Recent Purchases">
        {recent.length > 0 ? (
          <ul className="divide-y divide-line">
            {recent.map((order) => (
              <OrderRow
                key={order.id}
                order={order}
                product={order.product.name}
                format={<Badge>{order.product.format}</Badge>}
                buyer={`Customer: ${order.display_name || order.email}`}
                badges={<OrderBadges order={order} />}
              />
            ))}
          </ul>
        ) : (
          <Note icon={BookOpen} title="No purchases yet">
            Purchases will appear here once customers start buying
          </Note>
        )}
      </Card>
    </div>
  )
}

function Totals({ totals }: { totals: SalesTotals }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard
        name="Total Revenue"
        value={<Money amount={totals.total_revenue} />}
        hint="Completed purchases, less refunds"
        icon={Banknote}
      />
      <StatCard
        name="Total Users"
        value={formatCount(totals.total_users)}
        hint="Registered accounts"
        icon={Users}
      />
      <StatCard
        name="Total Purchases"
        value={formatCount(totals.total_purchases)}
        hint="All time purchases"
        icon={ShoppingBag}
      />
      <StatCard
        name="Downloads"
        value={formatCount(totals.completed_purchases)}
        hint="Completed purchases"
        icon={Download}
      />
    </dl>
  )
}
