import { StrongLink } from '../text-link.tsx'
import { BookOpen, Download } from '../../../components/icons.tsx'
import { ShoppingBag } from '../../../components/further-icons.tsx'
import { Banknote, Users } from '../icons.tsx'
import { Suspense } from 'react'
import { Await } from 'react-router'
import type { FirstStepsApi } from '#domains/operations/setup.routes.ts'
import type { TodayApi } from '#domains/operations/today.routes.ts'
import type { ReportsApi } from '#domains/operations/reports.routes.ts'
import type { SalesTotals } from '#contract/operations/sales.ts'
import { responseOf } from '../../../api.ts'
import { formatCount } from '../../../format.ts'
import { Money } from '../../../money.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Card, StatCard } from '../../../components/card.tsx'
import { Note } from '../../../components/note.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { changedSaleMode } from '../../../page-state.ts'
import { adminClient, load } from '../admin-client.ts'
import type { Route } from './+types/dashboard.ts'
import { SalesChartView } from '../sales/chart.tsx'
import { FactorNotice } from './factor-notice.tsx'
import { AddressBanner, FirstStepsCard, MoneyBanner, ProxyBanner } from './first-steps.tsx'
import { OrderRow } from '../order-row.tsx'
import { OrderBadges } from '../order-badges.tsx'
import { Today } from './today.tsx'
import { readWaiting } from './waiting.ts'

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
          {(found) => (
            <>
              <AddressBanner address={found} />
              <ProxyBanner address={found} />
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
