// The error boundary of the admin area’s screens, inside its layout.
import { SearchX } from './icons.tsx'
import { isRouteErrorResponse, Outlet, useLocation, useRouteError } from 'react-router'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../card.tsx'
import { Note } from '../../components/note.tsx'

const missing: Record<string, { title: string; list: string }> = {
  '/admin/users': { title: 'There is no such reader', list: 'All readers' },
  '/admin/products': { title: 'There is no such product', list: 'All products' },
  '/admin/shipping': { title: 'There are no such parcels', list: 'To ship' },
  '/admin/messages': { title: 'There is no such message', list: 'All messages' },
  '/admin/mails': { title: 'There is no such email', list: 'All emails' },
  '/admin/purchases': { title: 'There is no such order', list: 'All orders' },
}

/** The boundary stands around all views, so that the frame of the admin area stays when one of them fails. */
export default function Views() {
  return <Outlet />
}

export function ErrorBoundary() {
  const error = useRouteError()
  const { pathname } = useLocation()
  if (!isRouteErrorResponse(error)) throw error
  const list = pathname.split('/').slice(0, 3).join('/')
  if (error.status === 422 && pathname === list) return <UnknownQuery path={pathname} />
  if (error.status !== 404 && error.status !== 422) throw error
  const { title, list: label } = missing[list] ?? { title: 'There is nothing at this address', list: 'Back' }
  return (
    <Card title="Not found">
      <Note icon={SearchX} title={title}>
        <p>Perhaps the link was mistyped, or only part of it was copied.</p>
        <ButtonLink to={list} look="outline" className="mt-5">
          {label}
        </ButtonLink>
      </Note>
    </Card>
  )
}

function UnknownQuery({ path }: { path: string }) {
  return (
    <Card title="Not found">
      <Note icon={SearchX} title="This address asks for something that the shop does not know">
        <p>A filter, a date or a page in it is not valid. Perhaps the link was mistyped or is old.</p>
        <ButtonLink to={path} look="outline" className="mt-5">
          Show everything
        </ButtonLink>
      </Note>
    </Card>
  )
}
