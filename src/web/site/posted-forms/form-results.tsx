// The results of forms that were posted without scripts: pages that a reload sends nothing from.
import { accountTexts } from '#words/account.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { guestTexts } from '#words/guest.ts'
import { lettersTexts } from '#words/letters.ts'
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
    title: () => accountTexts.findPurchase.page,
    text: () => accountTexts.findPurchase.sent,
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
    title: () => accountTexts.findPurchase.page,
    text: () => accountTexts.findPurchase.receiptsSent,
  },
  { path: outcomePaths.toldLater, title: () => tellMeTexts.sent, text: () => tellMeTexts.sentText },
  {
    path: outcomePaths.mailsOff,
    title: () => accountTexts.mailChoices.page,
    text: () => `${accountTexts.mailChoices.off} ${accountTexts.mailChoices.others}`,
  },
  {
    path: outcomePaths.mailsOn,
    title: () => accountTexts.mailChoices.page,
    text: () => `${accountTexts.mailChoices.on} ${accountTexts.mailChoices.others}`,
  },
  {
    path: outcomePaths.linkUnknown,
    status: 404,
    title: () => accountTexts.mailChoices.over,
    text: () => accountTexts.mailChoices.overText,
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
