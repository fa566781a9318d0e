import { dashboardTexts } from '#words/dashboard.ts'
import { Container } from '../../components/container.tsx'

export function DashboardSkeleton() {
  return (
    <>
      <header className="border-b border-line bg-surface">
        <Container className="flex min-h-25.5 flex-wrap items-center justify-between gap-x-6 gap-y-3 py-5">
          <Bar className="h-7 w-64" />
          <Bar className="h-11 w-52 max-sm:w-full" />
        </Container>
      </header>
      <main>
        <Container className="py-8 sm:py-12">
          <PurchasesSkeleton />
        </Container>
      </main>
    </>
  )
}

export function PurchasesSkeleton() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        {dashboardTexts.loadingPurchases}
      </p>
      <div className="mb-12 grid gap-3 sm:grid-cols-3 sm:gap-4">
        {[1, 2, 3].map((card) => (
          <Bar key={card} className="h-14.5 sm:h-30" />
        ))}
      </div>
      <Bar className="mb-5 h-8 w-48" />
      <Bar className="h-56" />
    </div>
  )
}

function Bar({ className }: { className: string }) {
  return <div className={`max-w-full animate-pulse rounded-lg bg-ink/8 ${className}`} />
}
