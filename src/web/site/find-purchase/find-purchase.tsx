// The page for a reader who cannot find a purchase: first under the own address, by a code or, without scripts, by receipts;
// then by a message to the author that has what a search needs.
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { siteTexts } from '#words/site.ts'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { ReceiptsForm } from './receipts-form.tsx'
import { SignInByCode, WriteForm } from './write-form.tsx'

export const findPurchase: SitePage = {
  path: '/find-purchase',
  tags: ({ book }) => unlisted(siteTexts.findPurchase, book),
  Page: FindPurchase,
}

function FindPurchase({ data: { shop } }: SiteContent) {
  const texts = findPurchaseTexts
  return (
    <SiteFrame>
      <Message title={siteTexts.findPurchase} text={texts.underAddress}>
        <div className="grid justify-items-center gap-6 noscript:hidden">
          <p className="text-lg text-pretty text-soft">{texts.byCode}</p>
          <Island name="find-purchase" part="account" Part={SignInByCode} wakes="data-signed-in" />
        </div>
        <ReceiptsForm sendsMail={shop.sendsMail} />
        <section className="mt-6 w-full max-w-xl border-t border-line pt-8 text-start">
          <h2 className="font-display text-2xl">{texts.notThere}</h2>
          <p className="mt-2 text-pretty text-soft">{texts.mistyped}</p>
          <Island name="find-purchase" part="form" Part={WriteForm} />
        </section>
      </Message>
    </SiteFrame>
  )
}
