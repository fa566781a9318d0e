// The results of forms that were posted without scripts: pages that a reload sends nothing from.
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { mailChoicesTexts } from '#words/mail-choices.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { guestTexts } from '#words/guest.ts'
import { lettersTexts } from '#words/letters.ts'
import { siteTexts } from '#words/site.ts'
import { tellMeTexts } from '#words/buying.ts'
import { outcomePaths } from '#contract/paths.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'

type Outcome = { path: string; status?: number; title: () => string; text: () => string }

const outcomes: readonly Outcome[] = [
  {
    path: outcomePaths.searchSent,
    title: () => siteTexts.findPurchase,
    text: () => findPurchaseTexts.sent,
  },
  { path: outcomePaths.excerptAsked, title: () => excerptTexts.sent, text: () => excerptTexts.sentText },
  { path: outcomePaths.lettersAsked, title: () => lettersTexts.sent, text: () => lettersTexts.sentText },
  { path: outcomePaths.lettersEnded, title: () => lettersTexts.ended, text: () => lettersTexts.endedText },
  {
    path: outcomePaths.lettersDeleted,
    title: () => lettersTexts.deleted,
    text: () => lettersTexts.deletedText,
  },
  {
    path: outcomePaths.receiptsSent,
    title: () => siteTexts.findPurchase,
    text: () => findPurchaseTexts.receiptsSent,
  },
  { path: outcomePaths.toldLater, title: () => tellMeTexts.sent, text: () => tellMeTexts.sentText },
  {
    path: outcomePaths.mailsOff,
    title: () => mailChoicesTexts.page,
    text: () => `${mailChoicesTexts.off} ${mailChoicesTexts.others}`,
  },
  {
    path: outcomePaths.mailsOn,
    title: () => mailChoicesTexts.page,
    text: () => `${mailChoicesTexts.on} ${mailChoicesTexts.others}`,
  },
  {
    path: outcomePaths.linkUnknown,
    status: 404,
    title: () => mailChoicesTexts.over,
    text: () => mailChoicesTexts.overText,
  },
]

export const outcomePages: SitePage[] = outcomes.map(({ path, status = 200, title, text }) => ({
  path,
  status: () => status,
  tags: ({ book }) => unlisted(title(), book),
  Page: () => (
    <SiteFrame>
      <Message title={title()} text={text()}>
        <ButtonLink to="/" look="outline">
          {guestTexts.backToBook}
        </ButtonLink>
      </Message>
    </SiteFrame>
  ),
}))
