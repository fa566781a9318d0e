// The views of the desk, in the order an author needs them.
import { NavLink } from 'react-router'
import { Container } from '../../ui/container.tsx'

const views = [
  { to: '/admin', title: 'Dashboard' },
  { to: '/admin/users', title: 'Users' },
  { to: '/admin/purchases', title: 'Purchases' },
  { to: '/admin/shipping', title: 'Shipping' },
  { to: '/admin/sales', title: 'Sales' },
  { to: '/admin/products', title: 'Products' },
  { to: '/admin/messages', title: 'Messages' },
  { to: '/admin/audit', title: 'Log' },
]

export function DeskNav() {
  return (
    <nav aria-label="Views" className="overflow-x-auto">
      <Container className="flex gap-1">
        {views.map(({ to, title }) => (
          <NavLink
            key={to}
            to={to}
            end={to === '/admin'}
            className="-mb-px border-b-2 border-transparent px-3 py-3 text-sm font-semibold whitespace-nowrap text-soft -outline-offset-4 hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink"
          >
            {title}
          </NavLink>
        ))}
      </Container>
    </nav>
  )
}
