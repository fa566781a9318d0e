// The page of the link in emails about new editions, signed in or not. Only pressing the button changes something: mail
// scanners open links too.
import { mailChoicesTexts } from '#words/mail-choices.ts'
import { mailChoicesPattern } from '#contract/paths.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { LettersConsent } from './letters-consent.tsx'
import { EditionMails } from './edition-mails.tsx'

export const mailChoices: SitePage = {
  path: mailChoicesPattern,
  holdsRight: true,
  tags: ({ book }) => unlisted(mailChoicesTexts.page, book),
  Page: ({ shown }) => (
    <SiteFrame>
      {shown.subscription ? (
        <Island name="mail-choices" part="letters" Part={LettersConsent} props={shown.subscription} />
      ) : (
        <Island name="mail-choices" part="page" Part={EditionMails} props={shown.mailChoices ?? {}} />
      )}
    </SiteFrame>
  ),
}
