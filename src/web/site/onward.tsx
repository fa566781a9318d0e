// Leads to a page outside of the shop: browsers let a form lead to none, also not over a redirect.
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { siteTexts } from '#words/site.ts'
import { ButtonLink } from '../components/button.tsx'
import { Message } from '../message.tsx'
import { SiteFrame } from '../site-frame.tsx'
import { NotFound, notFoundTags } from './not-found.tsx'
import type { Onward } from '#pages/page-answer.ts'
import type { SitePage } from './site-page.ts'

const label = ({ isPayment }: Onward) => (isPayment ? guestTexts.continue : dashboardTexts.download)

export const onward: SitePage = {
  path: '/onward',
  status: ({ shown }) => (shown.onward ? 200 : 404),
  holdsRight: true,
  tags: (content) => {
    const leads = content.shown.onward
    if (!leads) return notFoundTags(content)
    return [
      { title: label(leads) },
      { name: 'robots', content: 'noindex' },
      { httpEquiv: 'refresh', content: `0; url=${leads.to}` },
    ]
  },
  Page: ({ shown }) => (shown.onward ? <LeadsOn {...shown.onward} /> : <NotFound />),
}

function LeadsOn(leads: Onward) {
  return (
    <SiteFrame>
      <Message title={guestTexts.continuing} text={siteTexts.leadsOn}>
        <ButtonLink to={leads.to}>{label(leads)}</ButtonLink>
      </Message>
    </SiteFrame>
  )
}
