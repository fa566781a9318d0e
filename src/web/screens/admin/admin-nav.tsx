import { NavLink } from 'react-router'
import type { AttentionCount } from '#features/payments/contract/needs-attention.ts'
import { Container } from '../../components/container.tsx'
import { SlidingNav } from '../../components/sliding-nav.tsx'

/** Next to the dashboard, so that it is visible on a phone. */
const needsAttention = { to: '/admin/payments', title: 'Needs attention' }
const mails = { to: '/admin/mails', title: 'Emails' }

const views = [
  { to: '/admin', title: 'Dashboard' },
  needsAttention,
  { to: '/admin/users', title: 'Users' },
  { to: '/admin/purchases', title: 'Purchases' },
  { to: '/admin/shipping', title: 'Shipping' },
  { to: '/admin/sales', title: 'Sales' },
  { to: '/admin/book', title: 'Book' },
  { to: '/admin/products', title: 'Products' },
  { to: '/admin/discounts', title: 'Discounts' },
  { to: '/admin/messages', title: 'Messages' },
  mails,
  { to: '/admin/audit', title: 'Log' },
  { to: '/admin/security', title: 'Security' },
  { to: '/admin/backups', title: 'Backups' },
  { to: '/admin/settings', title: 'Settings' },
]

export function titleOf(pathname: string): string {
  const others = [
    ...views,
    { to: '/admin/upload', title: 'Upload Ebook' },
    { to: '/admin/setup', title: 'Set up your shop' },
  ].slice(1)
  const view = others.find(({ to }) => pathname.startsWith(to))
  return view ? `${view.title} · Admin Dashboard` : 'Admin Dashboard'
}

type AdminNavProps = { needs: AttentionCount | undefined; readsMails: boolean }

export function AdminNav({ needs, readsMails }: AdminNavProps) {
  const takesMoney = needs !== undefined && needs.payments !== 'none'
  const shown = views.filter((view) => {
    if (view === needsAttention) return takesMoney
    return view !== mails || readsMails
  })
  return (
    <SlidingNav label="Views">
      <Container className="flex gap-1 xl:gap-0">
        {shown.map(({ to, title }) => (
          <NavLink
            key={to}
            to={to}
            end={to === '/admin'}
            className="-mb-px border-b-2 border-transparent px-3 py-3 text-sm font-semibold whitespace-nowrap xl:px-2 text-soft -outline-offset-4 hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink"
          >
            {title}
            {to === needsAttention.to && <Count count={needs?.count ?? 0} />}
          </NavLink>
        ))}
      </Container>
    </SlidingNav>
  )
}

function Count({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="ml-2 rounded-lg bg-danger px-2 py-0.5 text-page tabular-nums">
      {count < 100 ? count : '100+'}
    </span>
  )
}
