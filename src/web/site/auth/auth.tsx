// The page of sign-in, sign-up and new passwords.
import { findPurchasePath, signInPath } from '#contract/paths.ts'
import { authTexts } from '#words/auth.ts'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import { ButtonLink, Link } from '../../components/button.tsx'
import { Island } from '../../page/island.tsx'
import { pageMeta } from '../../page/page-meta.ts'
import { Cover } from '../../product/cover.tsx'
import type { SitePage } from '../site-page.ts'
import { AuthCard } from './auth-card.tsx'

export const auth: SitePage = {
  path: signInPath,
  tags: ({ data: { shop }, book }) => {
    const description = fill(authTexts.pageDescription, { book: book.title })
    return [
      ...pageMeta({ ...shop, book, path: signInPath, title: authTexts.page, description }),
      { name: 'robots', content: 'noindex' },
    ]
  },
  Page: ({ data: { shop } }) => (
    <main className="closing-light grid min-h-dvh place-items-center px-5 py-10">
      <div className="grid w-full max-w-md grid-cols-1 items-center gap-16 lg:max-w-5xl lg:grid-cols-[1fr_27rem]">
        {/* One cell of the grid: a picture brings its sources as elements of their own. */}
        <div className="mx-auto hidden w-72 lg:block">
          <Cover
            sizes="18rem"
            loading="lazy"
            className="h-auto w-full rounded-sm border border-cover-edge shadow-2xl"
          />
        </div>
        <section className="rounded-lg border border-line bg-surface p-6 shadow-lg sm:p-9">
          <Link to="/" className="text-sm text-soft underline-offset-4 hover:text-ink hover:underline">
            {authTexts.backHome}
          </Link>
          <Island
            name="auth"
            part="card"
            Part={AuthCard}
            wakes="?form data-wants data-needs-code"
            needsScripts
          />
          <WithoutScripts canBuy={shop.hasGuestCheckout} />
        </section>
      </div>
    </main>
  ),
}

function WithoutScripts({ canBuy }: { canBuy: boolean }) {
  return (
    <div className="hidden noscript:block">
      <p className="text-pretty">{authTexts.needsScripts}</p>
      <p className="mt-6 grid gap-3">
        {canBuy && (
          <ButtonLink to="/#book-sales" look="outline">
            {siteTexts.formatsAndPrices}
          </ButtonLink>
        )}
        <ButtonLink to={findPurchasePath} look="outline">
          {siteTexts.findPurchase}
        </ButtonLink>
        <ButtonLink to="/#contact" look="outline">
          {authTexts.writeToUs}
        </ButtonLink>
      </p>
    </div>
  )
}
