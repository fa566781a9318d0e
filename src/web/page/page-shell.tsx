// The frame of each document around its page, on the site and in the app.
import type { ComponentProps, ReactNode } from 'react'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { findPurchasePath } from '#contract/paths.ts'
import { siteTexts } from '#words/site.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import favicon from '../generated/favicon.svg?url'
import { beforePaint } from './before-paint.ts'
import { type Letters, firstFonts } from './letters.ts'

type PageHeadProps = {
  front: 'site' | 'app'
  /** Undefined while an error of the loader is shown. */
  book: ShownBook | undefined
  letters: Letters
  isAdmin?: boolean
  /** CSS; the browser reads it from the page. */
  style: string | undefined
  children: ReactNode
}

export function PageHead({ front, book, letters, isAdmin = false, style, children }: PageHeadProps) {
  const [light, dark] = book?.looks.page ?? []
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={dark} media="(prefers-color-scheme: dark)" />
      <BeforePaint front={front} />
      <link rel="manifest" href="/manifest.webmanifest" />
      {import.meta.env.PROD && <InlineStyle css={style} />}
      {book?.looks.colors_css && (
        // The admin area has colors of its own. The element stays: the page's policy allows no other one later.
        <style media={isAdmin ? 'not all' : undefined}>{book.looks.colors_css}</style>
      )}
      {book?.looks.css && <style>{book.looks.css}</style>}
      <Icons {...book?.cover_files} />
      <FirstFonts letters={letters} />
      {children}
    </head>
  )
}

/** The scripts that come after it do not carry it again. */
function BeforePaint({ front }: Pick<PageHeadProps, 'front'>) {
  const code = import.meta.env.SSR ? beforePaint(front) : ''
  return <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />
}

/** The style travels inside the page, so that the first paint waits for nothing; scripts do not carry it again. */
function InlineStyle({ css }: { css: string | undefined }) {
  const html = css ?? document.getElementById('style')?.textContent ?? ''
  return <style id="style" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
}

/** Search engines show none that is smaller than 48 pixels. */
function Icons({ tab, apple, icon_192 }: Partial<ShownBook['cover_files']>) {
  return (
    <>
      {tab ? (
        <>
          <link rel="icon" type="image/png" sizes="32x32" href={tab} />
          <link rel="icon" type="image/png" sizes="192x192" href={icon_192} />
        </>
      ) : (
        <link rel="icon" type="image/svg+xml" href={favicon} />
      )}
      {apple && <link rel="apple-touch-icon" href={apple} />}
    </>
  )
}

/** The scripts that come after them have not to name them. */
function FirstFonts({ letters }: { letters: Letters }) {
  const fonts = import.meta.env.SSR ? firstFonts[letters] : []
  return fonts.map((href) => (
    <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
  ))
}

/** Stands in the page from its first byte, so nothing moves when it comes to life. */
export function TestRibbon() {
  return (
    <aside
      aria-label={siteTexts.testMode}
      className="night relative z-20 border-b border-line px-4 py-1 text-center text-sm font-semibold text-gold print:hidden"
    >
      {siteTexts.testModeNotice}
    </aside>
  )
}

export const lostClass = 'sticky top-0 z-30 border-b border-danger bg-raised px-5 py-3 text-center'

/** The app's lines about a script that was lost: one is shown (before-paint.ts) until the page is alive. */
export function LostScripts() {
  return (
    <>
      <p role="alert" className={`hidden lost-offline:block ${lostClass}`}>
        {siteTexts.offline}
      </p>
      <LoadAgain className={`hidden lost-online:block ${lostClass}`} />
    </>
  )
}

export function LoadAgain(props: ComponentProps<'div'>) {
  return (
    <div role="alert" {...props}>
      {siteTexts.scriptLost}{' '}
      <Button look="outline" data-load-again="">
        {siteTexts.loadAgain}
      </Button>
    </div>
  )
}

type NoScriptProps = {
  canBuy?: boolean | undefined
  /** The page shows nothing else without scripts. */
  isAlone?: boolean
}

/** Says what works without scripts; where an account comes first, nothing is bought without them. */
export function NoScript({ canBuy = false, isAlone = false }: NoScriptProps) {
  return (
    <noscript className="block border-b border-line bg-surface px-5 py-3 text-center">
      <p>{canBuy ? siteTexts.noScript : siteTexts.noScriptAccount}</p>
      {isAlone && (
        <p className="mt-4 mb-3 flex flex-wrap justify-center gap-3">
          <ButtonLink to={findPurchasePath}>{siteTexts.findPurchase}</ButtonLink>
          <ButtonLink to="/" look="outline">
            {siteTexts.returnHome}
          </ButtonLink>
        </p>
      )}
    </noscript>
  )
}

/** Says why a page that the link of an email opens shows nothing of it without scripts: its token is in the fragment. */
export function LinkNeedsScripts() {
  return (
    <noscript className="block px-5 pt-10 text-center text-pretty">{siteTexts.linkNeedsScripts}</noscript>
  )
}
