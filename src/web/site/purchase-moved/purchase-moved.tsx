// The page for the mailbox from which the author has moved a purchase away.
import { purchaseMovedTexts } from '#words/purchase-moved.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import { LinkNeedsScripts } from '../../page/page-shell.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { Objection } from './objection.tsx'

export const purchaseMoved: SitePage = {
  path: '/purchase-moved',
  tags: ({ book }) => unlisted(purchaseMovedTexts.page, book),
  Page: () => (
    <SiteFrame>
      <LinkNeedsScripts />
      <Island name="purchase-moved" part="page" Part={Objection} wakes="*" />
    </SiteFrame>
  ),
}
