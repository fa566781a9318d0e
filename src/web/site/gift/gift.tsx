// The page that the link of a gift's email opens.
import { giftTexts } from '#words/gift.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import { LinkNeedsScripts } from '../../page/page-shell.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { Gift } from './open-gift.tsx'

export const gift: SitePage = {
  path: '/gift',
  tags: ({ book }) => unlisted(giftTexts.page, book),
  Page: () => (
    <SiteFrame>
      <LinkNeedsScripts />
      <Island name="gift" part="page" Part={Gift} wakes="*" />
    </SiteFrame>
  ),
}
