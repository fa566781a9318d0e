// One purchase, without an account: for the browser that bought it, and for whoever has the link of its receipt. And all
// that this browser has bought.
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { siteTexts } from '#words/site.ts'
import { findPurchasePath } from '#contract/paths.ts'
import { ButtonLink } from '../../components/button.tsx'
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
    Page: () => (
      <SiteFrame>
        <Island name="purchase" part="one" Part={OnePurchase} wakes="*" />
        <WithoutScripts />
      </SiteFrame>
    ),
  },
  {
    path: '/purchases',
    tags: ({ book }) => unlisted(dashboardTexts.page, book),
    Page: () => (
      <SiteFrame>
        <Island name="purchase" part="all" Part={Purchases} wakes="*" />
        <WithoutScripts />
      </SiteFrame>
    ),
  },
]

/** Only a script knows what this browser has bought. */
function WithoutScripts() {
  return (
    <noscript className="grid justify-items-center gap-6 px-5 pb-20 text-center">
      <p className="text-lg text-pretty">{findPurchaseTexts.needsScripts}</p>
      <ButtonLink to={findPurchasePath} look="outline">
        {siteTexts.findPurchase}
      </ButtonLink>
    </noscript>
  )
}
