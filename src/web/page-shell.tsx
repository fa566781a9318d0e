// What each document has around its page, on the site and in the app.
import type { ReactNode } from 'react'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { siteTexts } from '#words/site.ts'
import favicon from './generated/favicon.svg?url'
import { discountKey } from './page-state.ts'
import { storageKey } from './session.ts'
import fraunces from './generated/fonts/fraunces-latin.woff2?url'
import inter from './generated/fonts/inter-latin.woff2?url'
import interCyrillic from './generated/fonts/inter-cyrillic.woff2?url'
import interGreek from './generated/fonts/inter-greek.woff2?url'
import serifCyrillic from './generated/fonts/source-serif-4-cyrillic.woff2?url'
import serifGreek from './generated/fonts/source-serif-4-greek.woff2?url'

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

/** What works without scripts; where an account comes first, nothing is bought without them. */
export function NoScript({ canBuy = false }: { canBuy?: boolean | undefined }) {
  return (
    <noscript className="block border-b border-line bg-surface px-5 py-3 text-center">
      {canBuy ? siteTexts.noScript : siteTexts.noScriptAccount}
    </noscript>
  )
}

// The script that runs in every page before the first paint. It stands in the page as text, so that no request delays
// the paint.

/** React Router reads storage without a guard: where the browser forbids storage, one without memory replaces it. */
const guardStorage = `
for (const name of ['localStorage', 'sessionStorage']) {
  try { window[name] }
  catch { Object.defineProperty(window, name, { value: { getItem: () => null, setItem() {}, removeItem() {} } }) }
}`

/**
 * The cached page is the same for all users: these attributes show what a signed-in user sees from the first paint, and
 * after another tab has signed in or out. A session that has not passed its second factor yet (session.ts) is marked
 * differently.
 */
const markSession = `
const root = document.documentElement
function markSession() {
  let mark
  try {
    const { access_token, refresh_token, expires_at, user } = JSON.parse(localStorage.getItem('${storageKey}'))
    const isSession = access_token && refresh_token && expires_at && user.id
    const level = () => JSON.parse(atob(access_token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).aal
    const needsCode = isSession && user.factors?.some(({ status }) => status === 'verified') && level() !== 'aal2'
    mark = needsCode ? 'code' : isSession && 'in'
  } catch {}
  root.toggleAttribute('data-needs-code', mark === 'code')
  root.toggleAttribute('data-signed-in', mark === 'in')
}
markSession()`

/** The link of an email has its token in the fragment: then the page is another one (look.css, `linked`). */
const markLink = `
function markLink() { root.toggleAttribute('data-linked', location.hash.length > 1 && location.hash !== '#main') }
markLink()
addEventListener('hashchange', markLink)`

/** The app's own code follows the session later (root.tsx). */
const followSession = `
addEventListener('storage', markSession)
addEventListener('pageshow', markSession)`

/** The sign-in page shows the wanted product (wanted-product.ts) once React runs; its room is reserved before. */
const reserveRoom = `
if (/[?&]next=[^&]*product%3D/i.test(location.search)) root.setAttribute('data-wants', '')`

/** The line that says what a code takes off (code-line.tsx). */
const reserveCodeLine = `
if (/[?&]code=./.test(location.search) || sessionStorage.getItem('${discountKey}')) root.setAttribute('data-coded', '')`

/**
 * Tokens in an address come from another user or were copied by mistake: they sign nobody in and are removed before
 * anything reads them, also from the history. A changed hash causes `popstate`, too.
 */
const dropTokens = `
function dropTokens() {
  if (/[#?&](access|refresh)_token=/.test(location.href)) history.replaceState(history.state, '', location.pathname)
}
dropTokens()
addEventListener('popstate', dropTokens)`

/**
 * With the id of its checkout, an address opens a guest's purchase (returned.tsx): it is taken out at once, and the page of
 * the purchase makes it into this browser's proof (read-purchase.ts). Where nothing is kept, what the server has rendered
 * stays.
 */
const leaveReturn = `
function leaveReturn() {
  const session = new URLSearchParams(location.search).get('session_id')
  const [, purchase] = /^\\/purchase\\/([^/]+)$/.exec(location.pathname) ?? []
  if (!session || !purchase) return
  history.replaceState(history.state, '', location.pathname)
  try { sessionStorage.setItem('return:' + purchase, session) } catch {}
  if (sessionStorage.getItem('return:' + purchase) !== session) return
  root.hidden = true
  location.replace(location.pathname)
}
leaveReturn()`

/** Until React runs (`data-alive`), the browser would send a form itself, leave the page and lose the typed text. */
const guardForms = `
addEventListener('submit', (event) => { if (!root.hasAttribute('data-alive')) event.preventDefault() }, true)`

function beforePaint(front: 'site' | 'app'): string {
  const own =
    front === 'site' ? [leaveReturn, followSession, markLink, reserveCodeLine] : [reserveRoom, guardForms]
  const parts = [guardStorage, dropTokens, markSession, ...own]
  return `{${parts.join('').replaceAll(/\n */g, '\n')}\n}`
}

// The letters of a book's language, by which its fonts are chosen (look.css).

/** Of `other` ones the shop has no font. */
type Letters = 'latin' | 'greek' | 'cyrillic' | 'other'

/** By a language tag; a draft's may be any text. */
export function lettersOf(language: string): Letters {
  const script = scriptOf(language)
  if (script === 'Grek') return 'greek'
  if (script === 'Cyrl') return 'cyrillic'
  return script === undefined || script === 'Latn' ? 'latin' : 'other'
}

function scriptOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().script
  } catch {
    return undefined
  }
}

/** What the first paint needs; of further fonts a browser loads those that it meets letters of. */
const firstFonts: Record<Letters, string[]> = {
  latin: [fraunces, inter],
  greek: [serifGreek, interGreek, inter],
  cyrillic: [serifCyrillic, interCyrillic, inter],
  other: [],
}
