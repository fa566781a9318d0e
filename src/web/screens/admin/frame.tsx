import { Outlet, useRouteLoaderData } from 'react-router'
import type { clientLoader as adminLoader } from './admin.tsx'
import { AdminHeader } from './admin-header.tsx'
import { AdminNav } from './admin-nav.tsx'

/** Around what is still loading too, so that a menu that was opened meanwhile stays open. */
export default function Frame() {
  const loaded = useRouteLoaderData<typeof adminLoader>('screens/admin/admin')
  const nav = { counts: loaded?.counts, readsMails: loaded?.me?.reads_mails ?? false }
  return (
    <>
      <AdminHeader {...nav} />
      <div className="mx-auto flex max-w-[90rem] print:block">
        <AdminNav {...nav} />
        <div className="min-w-0 grow">
          <Outlet />
        </div>
      </div>
    </>
  )
}
