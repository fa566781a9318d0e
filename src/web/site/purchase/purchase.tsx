// One purchase, without an account: for the browser that bought it, and for whoever has the link of its receipt. And all
// that this browser has bought.
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { OnePurchase } from './one-purchase.tsx'
import { Purchases } from './purchases.tsx'

export const purchasePages: SitePage[] = [
  {
    path: '/purchase/:id',
    tags: ({ book }) => unlisted(guestTexts.page, book),
    Page: ({ book: { author } }) => (
      <SiteFrame>
        <Island name="purchase" part="one" Part={OnePurchase} props={{ author: author.name }} wakes="*" />
      </SiteFrame>
    ),
  },
  {
    path: '/purchases',
    tags: ({ book }) => unlisted(dashboardTexts.page, book),
    Page: () => (
      <SiteFrame>
        <Island name="purchase" part="all" Part={Purchases} wakes="*" />
      </SiteFrame>
    ),
  },
]
