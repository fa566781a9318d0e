// The script that runs in every page before the first paint. It stands in the page as text, so that no request delays
// the paint.
import { storageKey, useSession } from './session.ts'
import { siteTexts } from '#words/site.ts'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
} from 'react-router'
import type { ShownBook } from '#contract/book/shown-book.ts'
import type { Route } from './+types/root.ts'
import { isAdminPath } from '#contract/admin-path.ts'
import inlineStyle from './app.css?inline'
import styleUrl from './app.css?url'
import { shopFacts, shownBook } from './entry.server.tsx'
import favicon from './generated/favicon.svg?url'
import { firstFonts, lettersOf, type Letters } from './letters.ts'
import { receiptsAreSent, useIsAlive } from './page-state.ts'
import { PageTexts } from './page-texts.tsx'
import { Toasts } from './toasts.tsx'
import { Button, buttonClass } from './components/button.tsx'

/** React Router reads storage without a guard: where the browser forbids storage, one without memory replaces it. */
const guardStorage = `
for (const name of ['localStorage', 'sessionStorage']) {
  try { window[name] }
  catch { Object.defineProperty(window, name, { value: { getItem: () => null, setItem() {}, removeItem() {} } }) }
}`

/**
 * The cached page is the same for all users: these attributes show what a signed-in user sees from the first paint. A
 * session that has not passed its second factor yet (session.ts) is marked differently.
 */
const markSession = `
const root = document.documentElement
try {
  const { access_token, user } = JSON.parse(localStorage.getItem('${storageKey}'))
  const level = () => JSON.parse(atob(access_token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).aal
  const needsCode = user.factors?.some(({ status }) => status === 'verified') && level() !== 'aal2'
  root.setAttribute(needsCode ? 'data-needs-code' : 'data-signed-in', '')
} catch {}`

/** The sign-in page shows the wanted product (wanted-product.ts) once React runs; its room is reserved before. */
const reserveRoom = `
if (/[?&]next=[^&]*product%3D/i.test(location.search)) root.setAttribute('data-wants', '')`

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

/** Until React runs (`data-alive`), the browser would send a form itself, leave the page and lose the typed text. */
const guardForms = `
addEventListener('submit', (event) => { if (!root.hasAttribute('data-alive')) event.preventDefault() }, true)`

function beforePaint(): string {
  const parts = [guardStorage, dropTokens, markSession, reserveRoom, guardForms]
  return `{${parts.join('').replaceAll(/\n */g, '\n')}\n}`
}

/** Languages that are written from right to left (Unicode CLDR), also by a script's name as in az-Arab. */
const rightToLeft =
  /^(ar|arc|arz|ckb|dv|fa|he|ks|mzn|ps|sd|syr|ug|ur|yi)(-(?!Latn|Cyrl)|$)|-(Arab|Hebr|Syrc|Thaa)(-|$)/i

function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.test(language) ? 'rtl' : 'ltr'
}

export function links(): Route.LinkDescriptors {
  return [
    { rel: 'manifest', href: '/manifest.webmanifest' },
    ...(import.meta.env.DEV ? [{ rel: 'stylesheet', href: styleUrl }] : []),
  ]
}

/** Where the site lives, for absolute addresses. Pages are rendered at this address, whatever the request's host. */
export function loader({ request, context }: Route.LoaderArgs) {
  return {
    siteUrl: new URL(request.url).origin,
    ...context.get(shopFacts),
    book: context.get(shownBook),
  }
}

/**
 * React Router reloads the present page where the script of the wanted one fails to load, as after an upgrade or without
 * a connection: the wanted page is loaded instead. Browsers without the Navigation API reload.
 */
const loadWantedPage: Route.ClientMiddlewareFunction = ({ request, url }, next) => {
  if (!('navigation' in window)) return next()
  const { navigation } = window
  const redirect = (event: NavigateEvent) => {
    if (event.navigationType !== 'reload' || !event.cancelable) return
    event.preventDefault()
    location.assign(url)
  }
  const stop = () => navigation.removeEventListener('navigate', redirect)
  navigation.addEventListener('navigate', redirect)
  request.signal.addEventListener('abort', stop)
  return next().finally(stop)
}

export const clientMiddleware = [loadWantedPage]

export function shouldRevalidate() {
  return false
}

/** The loader's data are undefined while an error of the loader is shown. */
export function Layout({ children }: { children: ReactNode }) {
  const shop = useRouteLoaderData<typeof loader>('root')
  const [light, dark] = shop?.book.looks.page ?? []
  const isAdmin = isAdminPath(useLocation().pathname)
  // The admin area is written in English, the shop in the book's language.
  const language = isAdmin ? 'en' : shop?.book.language
  const letters = lettersOf(language ?? 'en')
  return (
    <html lang={language} dir={directionOf(language ?? 'en')} data-letters={letters} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={light} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={dark} media="(prefers-color-scheme: dark)" />
        <BeforePaint />
        <Meta />
        {import.meta.env.PROD && <InlineStyle />}
        {shop?.book.looks.colors_css && (
          // The admin area has colors of its own. The element stays: the page's policy allows no other one later.
          <style media={isAdmin ? 'not all' : undefined}>{shop.book.looks.colors_css}</style>
        )}
        {shop?.book.looks.css && <style>{shop.book.looks.css}</style>}
        <Icons {...shop?.book.cover_files} />
        <FirstFonts letters={letters} />
        <Links />
      </head>
      <body>
        {shop?.isTestMode && <TestRibbon />}
        <noscript className="block border-b border-line bg-surface px-5 py-3 text-center">
          {siteTexts.noScript}
        </noscript>
        {children}
        <ScrollRestoration />
        <PageTexts />
        <Scripts />
      </body>
    </html>
  )
}

function Icons({ tab, apple }: Partial<ShownBook['cover_files']>) {
  return (
    <>
      {tab ? (
        <link rel="icon" type="image/png" href={tab} />
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
function TestRibbon() {
  return (
    <aside
      aria-label={siteTexts.testMode}
      className="night relative z-20 border-b border-line px-4 py-1 text-center text-sm font-semibold text-gold print:hidden"
    >
      {siteTexts.testModeNotice}
    </aside>
  )
}

/** The scripts that come after it do not carry it again. */
function BeforePaint() {
  const code = import.meta.env.SSR ? beforePaint() : ''
  return <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />
}

/** The style travels inside the page, so that the first paint waits for nothing; scripts do not carry it again. */
function InlineStyle() {
  const css = import.meta.env.SSR ? inlineStyle : (document.getElementById('style')?.textContent ?? '')
  return <style id="style" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: css }} />
}

const ConfirmLink = lazy(() => import('./confirm-link.tsx'))

export default function App({ loaderData: { sendsMail, saleMode } }: Route.ComponentProps) {
  const hasLink = useHasLink()
  const isSignedIn = useSession() !== undefined
  useEffect(() => {
    document.documentElement.toggleAttribute('data-signed-in', isSignedIn)
  }, [isSignedIn])
  useEffect(() => {
    // The sample's shop has the specification's words, also where it only keeps its emails.
    receiptsAreSent.set(sendsMail || saleMode === 'sample')
  }, [sendsMail, saleMode])
  return (
    <>
      <Outlet />
      {hasLink && (
        <Suspense>
          <ConfirmLink />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}

/** The cached page is the same for every query, so the address is read once React runs. */
function useHasLink(): boolean {
  const { search } = useLocation()
  const isAlive = useIsAlive()
  useEffect(() => {
    document.documentElement.toggleAttribute('data-alive', isAlive)
  }, [isAlive])
  return isAlive && new URLSearchParams(search).has('token_hash')
}

export function ErrorBoundary() {
  return (
    <main className="closing-light grid min-h-dvh place-items-center px-5 text-center">
      <div>
        <h1 className="font-display text-3xl">{siteTexts.crashTitle}</h1>
        <p className="mx-auto mt-4 max-w-md text-lg text-pretty text-soft">{siteTexts.crashText}</p>
        <p className="mt-8 flex flex-wrap justify-center gap-3">
          <Button onClick={() => location.reload()}>{siteTexts.loadAgain}</Button>
          <a href="/" className={buttonClass('outline')}>
            {siteTexts.returnHome}
          </a>
        </p>
      </div>
    </main>
  )
}
