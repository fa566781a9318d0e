// Withdrawing without scripts: step one shows what is declared, step two declares it (article 11a of Directive
// 2011/83/EU), and a page says what was received.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import { withdrawPath, withdrawSteps } from '#contract/paths.ts'
import type { Declared } from '#pages/page-answer.ts'
import { FactList } from '../../purchase/acknowledgement.tsx'
import { Button } from '../../components/button.tsx'
import { formatWithZone } from '../../format/format.tsx'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'

const status = ({ shown }: SiteContent) => (shown.declared ? 200 : 404)

export const withdrawalSteps: SitePage[] = [
  {
    path: withdrawSteps.check,
    status,
    tags: (content) =>
      content.shown.declared ? unlisted(withdrawTexts.checkTitle, content.book) : notFoundTags(content),
    Page: ({ shown }) => (shown.declared ? <Check declared={shown.declared} /> : <NotFound />),
  },
  {
    path: withdrawSteps.received,
    holdsRight: true,
    status,
    tags: (content) =>
      content.shown.declared ? unlisted(withdrawTexts.done, content.book) : notFoundTags(content),
    Page: ({ shown }) => (shown.declared ? <Received {...shown.declared} /> : <NotFound />),
  },
]

const factsOf = ({ name, email, order }: Declared) =>
  [
    [withdrawTexts.name, name],
    [withdrawTexts.email, email],
    [withdrawTexts.order, order],
  ] as const

function Check({ declared }: { declared: Declared }) {
  const { key, name, email, order } = declared
  return (
    <SiteFrame>
      <Message title={withdrawTexts.checkTitle} text={withdrawTexts.checkText}>
        <div className="w-full rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
          <FactList facts={factsOf(declared)} />
        </div>
        <form method="post" action={withdrawPath} className="flex flex-wrap justify-center gap-3">
          <input type="hidden" name="key" value={key} />
          <input type="hidden" name="name" value={name} />
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="order" value={order} />
          <Button type="submit" look="outline" name="step" value="change">
            {withdrawTexts.change}
          </Button>
          <Button type="submit" look="danger" name="step" value="confirm">
            {dashboardTexts.confirmWithdrawal}
          </Button>
        </form>
      </Message>
    </SiteFrame>
  )
}

function Received(declared: Declared) {
  const { email, declared_at = '', is_mailed } = declared
  const { done, doneMailed, doneLater, received } = withdrawTexts
  return (
    <SiteFrame>
      <Message title={done} text={fill(is_mailed ? doneMailed : doneLater, { email })}>
        <div className="w-full rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
          <FactList facts={[[received, formatWithZone(declared_at)], ...factsOf(declared)]} />
        </div>
      </Message>
    </SiteFrame>
  )
}
