// The two lists of the log, of which one is loaded at a time.
import { Outlet, useLocation } from 'react-router'
import { ViewLinks } from '../../table.tsx'

const lists = [
  { to: '/admin/audit', title: 'Changes and requests' },
  { to: '/admin/audit/sign-ins', title: 'Sign-ins and accounts' },
]

export default function Log() {
  const { pathname } = useLocation()
  const views = lists.map(({ to, title }) => ({ to, title, isCurrent: to === pathname }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex">
        <ViewLinks label="Log" views={views} />
      </div>
      <Outlet />
    </div>
  )
}
