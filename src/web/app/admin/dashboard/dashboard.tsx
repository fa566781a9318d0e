// The first screen of the admin area.
import { Badge, Note } from '../../../components/note.tsx'
import { StrongLink } from '../links.tsx'
import { BookOpen, Download } from '../../../components/icons.tsx'
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
import { ToSetUp } from './to-set-up.tsx'
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
  return (
    <div className="grid gap-6">
      <Today waiting={waiting} today={today} />
      <ToSetUp firstSteps={firstSteps} address={address} />
      <Totals totals={totals} />
      {recent.some(({ is_test }) => is_test) && (
        <p className="text-sm text-soft">Orders marked “test” count in none of these figures.</p>
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
      <Card title="Recent Purchases">
        {recent.length > 0 ? (
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
