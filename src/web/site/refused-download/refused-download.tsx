// What a download link shows once it no longer works: why, and the way to the purchase, which makes a new one.
import { excerptTexts } from '#words/excerpt.ts'
import { guestTexts } from '#words/guest.ts'
import { refusalsTexts, refusalText } from '#words/refusals.ts'
import { fill } from '#words/texts.ts'
import { excerptPath, refusedDownloadPath } from '#contract/paths.ts'
import type { RefusedDownload } from '#pages/page-answer.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../page/message.tsx'
import { unlisted } from '../../page/page-meta.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { useExcerpt, useSendsMail } from '../../shop.ts'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import { codePath } from '#contract/paths.ts'
import type { SitePage } from '../site-page.ts'

export const refusedDownload: SitePage = {
  path: refusedDownloadPath,
  // The address that it stands at was one.
  holdsRight: true,
  status: () => 404,
  tags: (content) => {
    const { refusedDownload: refused } = content.shown
    return refused ? unlisted(wordsOf(refused).title, content.book) : notFoundTags(content)
  },
  Page: ({ shown }) => (shown.refusedDownload ? <Refused {...shown.refusedDownload} /> : <NotFound />),
}

function wordsOf({ code, minutes, purchase, isExcerpt }: RefusedDownload): { title: string; text: string } {
  const { linkExpired, linkUnread, linkRefused, startAgainOf } = guestTexts
  const startAgain = isExcerpt ? excerptTexts.startAgain : guestTexts.startAgain
  if (code === 'downloads.link_expired') {
    const text = purchase ? fill(startAgainOf, { product: purchase.product }) : startAgain
    return { title: fill(linkExpired, { minutes }), text }
  }
  if (code === 'request.not_found') return { title: linkUnread, text: startAgain }
  return { title: linkRefused, text: refusalText(code) ?? refusalsTexts['request.malformed'] }
}

function Refused(refused: RefusedDownload) {
  return (
    <SiteFrame>
      <Message {...wordsOf(refused)}>
        <p className="flex flex-wrap justify-center gap-3">
          {refused.isExcerpt ? <WayToExcerpt /> : <WayToPurchase {...refused} />}
        </p>
      </Message>
    </SiteFrame>
  )
}

function WayToExcerpt() {
  const isOffered = useExcerpt() !== null
  return (
    <ButtonLink to={isOffered ? excerptPath : '/'} look="outline">
      {isOffered ? excerptTexts.again : excerptTexts.back}
    </ButtonLink>
  )
}

/** A guest’s browser has the proof that opens the purchase; on any other device a mailed code does. */
function WayToPurchase({ purchase }: RefusedDownload) {
  const sendsMail = useSendsMail()
  if (purchase && !purchase.isOfGuest)
    return <ButtonLink to="/dashboard">{guestTexts.openDashboard}</ButtonLink>
  return (
    <>
      <ButtonLink to={purchase ? `/purchase/${purchase.id}` : '/purchases'}>
        {purchase ? guestTexts.openPurchase : guestTexts.openPurchases}
      </ButtonLink>
      {sendsMail && (
        <ButtonLink to={codePath} look="outline">
          {guestTexts.getCode}
        </ButtonLink>
      )}
    </>
  )
}
