// The emails of the shop, the server that sends them, and the emails to the author.
import { Outlet, useLocation } from 'react-router'
import { BackToSetup, SectionNav } from '../section-nav.tsx'

const sections = [
  { to: '/admin/mails', title: 'Emails' },
  { to: '/admin/mails/settings', title: 'Mail settings' },
  { to: '/admin/mails/to-you', title: 'Emails to you' },
]

export default function MailPlace() {
  const isList = useLocation().pathname === '/admin/mails'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <BackToSetup className="" />
      <SectionNav label="Mail" sections={sections} />
      <div className={isList ? '' : 'max-w-184'}>
        <Outlet />
      </div>
    </div>
  )
}
