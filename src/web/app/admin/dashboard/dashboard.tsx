// The first screen of the admin area.
import { Badge } from '../../../components/note.tsx'
import { StrongLink } from '../links.tsx'
import { Download } from '../../../components/icons.tsx'
import { Banknote, Users } from '../icons.tsx'
import { Card, StatCard, LoadFailed } from '../../card.tsx'
import { ShoppingBag } from '../../../components/further-icons.tsx'
import type { FirstStepsApi } from '#domains/setup/first-steps.routes.ts'
import type { TodayApi } from '#domains/overview/today.routes.ts'
import type { ReportsApi } from '#domains/reports/reports.routes.ts'
import type { SalesTotals } from '#contract/reports/sales.ts'
import { responseOf } from '../../../api.ts'
import { formatCount } from '../../../format/format.tsx'
import { Money } from '../../../format/money.tsx'
import { changedSaleMode } from '../../../page/page-state.ts'
import { adminClient, load } from '../calls.tsx'
import type { Route } from './+types/dashboard.ts'
import { SalesChartView } from '../sales/chart.tsx'
import { OrderRow, OrderRows, OrderBadges } from '../cells.tsx'
import { hasOpenSteps, ToSetUp } from './to-set-up.tsx'
import { Today, readWaiting } from './today.tsx'

const salesApi = adminClient<ReportsApi>()
const stepsApi = adminClient<FirstStepsApi>()
const todayApi = adminClient<TodayApi>()

export function clientLoader() {
  return load('Failed to fetch sales data', async () => {
    // The screen does not wait for it: the shop asks its own address, which may take seconds.
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
  const isBeforeFirstSale = totals.total_purchases === 0
  const isInSetup = hasOpenSteps(firstSteps)
  const setupStep = firstSteps?.setup_step ?? undefined
  // The setup that was begun asks for most of what is to be set up.
  const isToSetUpFirst = isBeforeFirstSale && !setupStep
  const toSetUp = <ToSetUp firstSteps={firstSteps} address={address} isOpen={isBeforeFirstSale} />
  return (
    <div className="grid gap-6">
      {isToSetUpFirst && toSetUp}
      <Today {...{ waiting, today, isBeforeFirstSale, isInSetup, setupStep }} />
      {!isToSetUpFirst && toSetUp}
      {isBeforeFirstSale ? <QuietTotals totals={totals} /> : <Totals totals={totals} />}
      {recent.some(({ is_test }) => is_test) && (
        <p className="text-sm text-pretty text-soft">
          Orders marked “test” count in no figure but Total Users, which counts every account.
        </p>
      )}
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
      {recent.length > 0 ? (
        <Card title="Recent Purchases">
          <OrderRows>
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
          </OrderRows>
        </Card>
      ) : (
        <section className={`${quietCard} flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-3`}>
          <h2 className="font-semibold">Recent Purchases</h2>
          <p className="text-sm text-soft">Purchases will appear here once customers start buying</p>
        </section>
      )}
    </div>
  )
}

const quietCard = 'rounded-md border border-line bg-surface'

/** The list has the four cards of the product's description. */
function listTotals(totals: SalesTotals) {
  return [
    {
      name: 'Total Revenue',
      value: <Money amount={totals.total_revenue} />,
      hint: 'Completed purchases, less refunds',
      icon: Banknote,
    },
    {
      name: 'Total Users',
      value: formatCount(totals.total_users),
      hint: 'Registered accounts',
      icon: Users,
    },
    {
      name: 'Total Purchases',
      value: formatCount(totals.total_purchases),
      hint: 'All time purchases',
      icon: ShoppingBag,
    },
    {
      name: 'Downloads',
      value: formatCount(totals.completed_purchases),
      hint: 'Completed purchases',
      icon: Download,
    },
  ]
}

function Totals({ totals }: { totals: SalesTotals }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {listTotals(totals).map((each) => (
        <StatCard key={each.name} {...each} />
      ))}
    </dl>
  )
}

/** Four zeros are no news, so they stand in one line. */
function QuietTotals({ totals }: { totals: SalesTotals }) {
  return (
    <dl className={`${quietCard} grid grid-cols-2 gap-x-6 gap-y-3 px-5 py-3 lg:grid-cols-4`}>
      {listTotals(totals).map(({ name, value, hint }) => (
        <div key={name} className="flex min-w-0 flex-wrap content-start items-baseline gap-x-2 text-sm">
          <dt className="font-semibold text-soft max-sm:w-full">{name}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
          <dd className="w-full text-soft">{hint}</dd>
        </div>
      ))}
    </dl>
  )
}
