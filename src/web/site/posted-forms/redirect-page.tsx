// Leads to a page outside of the shop: browsers let a form lead to none, also not over a redirect.
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { siteTexts } from '#words/site.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { Onward } from '#pages/page-answer.ts'
import type { SitePage } from '../site-page.ts'

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
  const { to, isPayment, back } = leads
  const title = isPayment ? guestTexts.continuing : guestTexts.download
  return (
    <SiteFrame>
      <Message title={title} text={isPayment ? siteTexts.leadsOn : undefined}>
        <p className="flex flex-wrap justify-center gap-3">
          <ButtonLink to={to}>{label(leads)}</ButtonLink>
          {back && (
            <ButtonLink to={back} look="outline">
              {guestTexts.backToOrder}
            </ButtonLink>
          )}
        </p>
      </Message>
    </SiteFrame>
  )
}
