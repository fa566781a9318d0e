// The page where a form, or an address, could not be taken at all: as one that is too large, or no form.
import { refusalsTexts, refusalText } from '#words/refusals.ts'
import { siteTexts } from '#words/site.ts'
import type { Refused } from '#pages/page-answer.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'

export const refused: SitePage = {
  path: '/refused',
  // Some of the addresses that it stands at do.
  holdsRight: true,
  status: () => 404,
  tags: (content) =>
    content.shown.refused ? unlisted(siteTexts.crashTitle, content.book) : notFoundTags(content),
  Page: ({ shown }) => (shown.refused ? <Refusal {...shown.refused} /> : <NotFound />),
}

function Refusal({ code, back }: Refused) {
  return (
    <SiteFrame>
      <Message title={siteTexts.crashTitle} text={refusalText(code) ?? refusalsTexts['request.malformed']}>
        <p className="flex flex-wrap justify-center gap-3">
          <ButtonLink to={back}>{siteTexts.tryAgain}</ButtonLink>
          <ButtonLink to="/" look="outline">
            {siteTexts.returnHome}
          </ButtonLink>
        </p>
      </Message>
    </SiteFrame>
  )
}
