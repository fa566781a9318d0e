// The header and the footer around a page.
import { use, type ReactNode } from 'react'
import { siteTexts } from '#words/site.ts'
import { Link, Anchor, Button, ButtonLink } from '../components/button.tsx'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { pictureUrl } from '#contract/files/renditions.ts'
import { CoverShapes } from '../product/cover.tsx'
import { useBook, useHasGuestCheckout, useHasWithdrawal, useLettersTerms } from '../shop.ts'
import favicon from '../generated/favicon.svg?url'
import { useMe } from '../session/use-session.ts'
import { SignOutButton } from '../session/sign-out-button.tsx'
import { IslandRenderer } from './island.tsx'
import { Container } from '../components/section.tsx'
import { fill } from '#words/texts.ts'

/** Frames the pages that have nothing of their own there. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  )
}

/** `notice` is the line above all else. */
export function SiteHeader({ notice }: { notice?: ReactNode }) {
  const book = useBook()
  return (
    <header className="relative z-10">
      {notice}
      <Anchor
        to="main"
        className="absolute top-3 start-5 z-10 -translate-y-48 rounded-md bg-ink px-4 py-2 font-semibold text-page focus:translate-y-0"
      >
        {siteTexts.skipToContent}
      </Anchor>
      <Container className="flex min-h-18 items-center justify-between gap-x-4 gap-y-1 py-3 signed-in:max-sm:flex-wrap">
        <Link
          to="/"
          className="flex items-center gap-3 rounded-sm font-display signed-in:max-sm:w-full text-lg leading-tight font-semibold"
        >
          <Mark {...book} />
          <span className="not-signed-in:max-sm:max-w-44">{book.title}</span>
        </Link>
        <AccountLinks />
      </Container>
    </header>
  )
}

/** Shows the book: its picture or its drawn cover, without a title that nobody could read. */
function Mark({ cover, drawn_cover }: ShownBook) {
  const look = 'h-9 w-6 shrink-0 rounded-sm outline outline-cover-edge'
  if (cover)
    return (
      <img
        src={pictureUrl(cover.id, 'mark.webp')}
        alt=""
        width={24}
        height={36}
        // React would preload it, before the cover of the hero.
        fetchPriority="low"
        className={`${look} object-cover`}
      />
    )
  if (drawn_cover) return <CoverShapes cover={drawn_cover} className={look} />
  return <img src={favicon} alt="" width={32} height={32} className="size-8 shrink-0" />
}

/** On a phone of 390 pixels three of them stand in a line, in each language. */
const narrowOnPhone = 'max-sm:px-2! max-sm:text-sm max-sm:whitespace-nowrap'

/** Both ways stand in the page; the mark that is set before the first paint shows the right one (page-shell.tsx). */
function AccountLinks() {
  const island = use(IslandRenderer)?.('account', null)
  return (
    <nav
      aria-label={siteTexts.account}
      className="flex shrink-0 items-center signed-in:max-sm:w-full"
      {...(island && {
        'data-island': 'account',
        'data-files': island.files,
        'data-wakes': 'data-signed-in',
      })}
    >
      <div className="signed-in:hidden">
        <ButtonLink to="/auth" look="outline">
          {siteTexts.signIn}
        </ButtonLink>
      </div>
      <div className="hidden items-center gap-1 max-sm:-ms-2 max-sm:grow max-sm:flex-wrap sm:gap-2 signed-in:flex">
        {island ? <AdminLink hidden /> : <OwnAdminLink />}
        <ButtonLink to="/dashboard" look="quiet" className={narrowOnPhone}>
          {siteTexts.dashboard}
        </ButtonLink>
        {island ? (
          <Button
            look="outline"
            className={`max-sm:ms-auto ${narrowOnPhone}`}
            data-sign-out={siteTexts.signedOut}
          >
            {siteTexts.signOut}
          </Button>
        ) : (
          <SignOutButton className={`max-sm:ms-auto ${narrowOnPhone}`} />
        )}
      </div>
    </nav>
  )
}

function OwnAdminLink() {
  return useMe().isAdmin && <AdminLink />
}

function AdminLink({ hidden }: { hidden?: boolean }) {
  return (
    <ButtonLink to="/admin" look="quiet" className={narrowOnPhone} hidden={hidden} data-admin="">
      {siteTexts.admin}
    </ButtonLink>
  )
}

export function SiteFooter() {
  const book = useBook()
  const hasGuestCheckout = useHasGuestCheckout()
  const hasWithdrawal = useHasWithdrawal()
  const hasLetters = useLettersTerms() !== null
  const links = [
    { to: '/preview', text: siteTexts.readPreview },
    { to: '/#book-sales', text: siteTexts.formatsAndPrices },
    { to: '/#contact', text: siteTexts.contact },
    ...(hasLetters ? [{ to: '/letters', text: siteTexts.letters }] : []),
    { to: hasGuestCheckout ? '/purchases' : '/dashboard', text: siteTexts.yourPurchases },
    ...(hasWithdrawal ? [{ to: '/withdraw', text: siteTexts.withdraw }] : []),
  ]
  const legal = book.legal.pages.map(({ name, title }) => ({ to: `/${name}`, text: title }))
  return (
    <footer className="border-t border-line py-10">
      <Container className="flex flex-col justify-between gap-x-10 gap-y-6 text-sm text-soft sm:flex-row sm:flex-wrap sm:items-center">
        <p>
          <span className="font-display text-base font-semibold text-ink">{book.title}</span>
          <br />
          {book.author.name && <span>{fill(siteTexts.byAuthor, { author: book.author.name })}</span>}
        </p>
        <nav aria-label={siteTexts.footer}>
          <ul className="grid grid-cols-2 gap-x-6 sm:flex sm:flex-wrap">
            {[...links, ...legal].map(({ to, text }) => (
              <li key={to}>
                <Link to={to} className="inline-block py-2 underline-offset-4 hover:text-ink hover:underline">
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </Container>
    </footer>
  )
}
