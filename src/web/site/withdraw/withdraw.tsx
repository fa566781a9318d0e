// Withdrawing from a contract without an account: by this browser's orders, by a form, or by the link of its acknowledgement.
import { siteTexts } from '#words/site.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import { LinkNeedsScripts } from '../../page/page-shell.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { Withdraw } from './declaration.tsx'
import { ProofOnly } from './proof.tsx'

const isOffered = ({ data }: SiteContent) => data.shop.hasWithdrawal

export const withdraw: SitePage = {
  path: '/withdraw',
  status: (content) => (isOffered(content) ? 200 : 404),
  tags: (content) =>
    isOffered(content) ? unlisted(siteTexts.withdraw, content.book) : notFoundTags(content),
  Page: (content) =>
    isOffered(content) ? (
      <SiteFrame>
        <LinkNeedsScripts />
        <Island
          name="withdraw"
          part="page"
          Part={Withdraw}
          wakes="data-linked data-signed-in guest-purchases"
        />
      </SiteFrame>
    ) : (
      // An earlier declaration is still confirmed.
      <NotFound>
        <Island name="withdraw" part="proof" Part={ProofOnly} wakes="data-linked" />
      </NotFound>
    ),
}
