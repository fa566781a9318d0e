// The layout of the settings screens.
import { Outlet, useLocation } from 'react-router'
import { Card } from '../../card.tsx'
import { HelpLink, switchSlash, usesSlash } from '../admin-nav.tsx'
import { BackToSetup, SectionNav } from '../section-nav.tsx'

const sections = [
  { to: '/admin/settings', title: 'Shop' },
  { to: '/admin/mails/settings', title: 'Mail' },
  { to: '/admin/settings/payments', title: 'Payments' },
  { to: '/admin/settings/shipping', title: 'Shipping' },
  { to: '/admin/settings/tax', title: 'Tax' },
  { to: '/admin/settings/admins', title: 'Admins' },
]

export default function Settings() {
  const { pathname } = useLocation()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-5 lg:grid-cols-[11rem_minmax(0,46rem)]">
      <BackToSetup className="lg:col-span-2" />
      <SectionNav label="Settings" sections={sections} isColumn />
      <div>
        <Outlet />
        {pathname === '/admin/settings' && <BrowserCard />}
        <HelpLink />
      </div>
    </div>
  )
}

function BrowserCard() {
  return (
    <Card title="In this browser" className="mt-5" contentClass="p-5">
      <label className="flex w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="tick"
          defaultChecked={usesSlash()}
          onChange={({ target }) => switchSlash(target.checked)}
        />
        <span>
          Press <kbd className="font-semibold">/</kbd> to search a list
        </span>
      </label>
    </Card>
  )
}
