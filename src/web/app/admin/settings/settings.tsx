// The layout of the settings screens.
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { HelpLink } from '../admin-nav.tsx'
import { BackToSetup, SectionNav } from '../section-nav.tsx'

const sections = [
  { to: '/admin/settings', title: 'Shop' },
  { to: '/admin/settings/payments', title: 'Payments' },
  { to: '/admin/settings/shipping', title: 'Shipping' },
  { to: '/admin/settings/tax', title: 'Tax' },
  { to: '/admin/settings/letters', title: 'Letters' },
  { to: '/admin/settings/webhook', title: 'Webhook' },
  { to: '/admin/settings/admins', title: 'Admins' },
  { to: '/admin/mails/settings', title: 'Mail', isElsewhere: true },
]

/** A link names the field that it leads to, as #delivery_days_min. */
function useLinkedField(): void {
  const { hash } = useLocation()
  useEffect(() => {
    const [field] = hash ? document.getElementsByName(hash.slice(1)) : []
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [hash])
}

export default function Settings() {
  useLinkedField()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-5 lg:grid-cols-[11rem_minmax(0,46rem)]">
      <BackToSetup className="lg:col-span-2" />
      <SectionNav label="Settings" sections={sections} isColumn />
      <div>
        <Outlet />
        <HelpLink />
      </div>
    </div>
  )
}
