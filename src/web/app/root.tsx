// The root of the app: its document, its loading of the shop’s data, and its error page.
import { useEffect, type ReactNode } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useRouteLoaderData,
} from 'react-router'
import { siteTexts } from '#words/site.ts'
import { isAdminPath, isAppPath } from '#contract/app-paths.ts'
import type { Route } from './+types/root.ts'
import inlineStyle from './app.css?inline'
import styleUrl from './app.css?url'
import { Button, buttonClass } from '../components/button.tsx'
import { shopFacts, shownBook } from './entry.server.tsx'
import { directionOf } from '#contract/direction.ts'
import { lettersOf } from '../page/letters.ts'
import { LostScripts, NoScript, PageHead, TestRibbon } from '../page/page-shell.tsx'
import { showCarriedNotice } from '../notices/named-notice.ts'
import { receiptsAreSent } from '../page/page-state.ts'
import { PageTexts } from '../page/page-texts.tsx'
import { BookContext, ShopContext } from '../shop.ts'
import { Toasts } from '../notices/toasts.tsx'
import { useSession } from '../session/use-session.ts'
import { carryNotice } from '../notices/stored-notice.ts'
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts'

export function links(): Route.LinkDescriptors {
  return import.meta.env.DEV ? [{ rel: 'stylesheet', href: styleUrl }] : []
}

/**
 * Returns where the site lives, for absolute addresses. Pages are rendered at this address, whatever the request's
 * host.
 */
export function loader({ request, context }: Route.LoaderArgs) {
  return {
    siteUrl: new URL(request.url).origin,
    ...context.get(shopFacts),
    book: context.get(shownBook),
  }
}

/**
 * React Router reloads the present page where the script of the requested one fails to load, as after an upgrade or without
 * a connection: the requested page is loaded instead. Browsers without the Navigation API reload.
 */
const loadRequestedPage: Route.ClientMiddlewareFunction = ({ request, url }, next) => {
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

export const clientMiddleware = [loadRequestedPage]

export function shouldRevalidate() {
  return false
}

/** The loader's data are undefined while an error of the loader is shown. */
export function Layout({ children }: { children: ReactNode }) {
  const shop = useRouteLoaderData<typeof loader>('root')
  const isAdmin = isAdminPath(useLocation().pathname)
  // The admin area is written in English, the shop in the book's language.
  const language = isAdmin ? 'en' : shop?.book.language
  const letters = lettersOf(language ?? 'en')
  return (
    <html lang={language} dir={directionOf(language ?? 'en')} data-letters={letters} suppressHydrationWarning>
      <PageHead
        front="app"
        book={shop?.book}
        style={import.meta.env.SSR ? inlineStyle : undefined}
        {...{ letters, isAdmin }}
      >
        <Meta />
        <Links />
      </PageHead>
      <body>
        {shop?.isTestMode && <TestRibbon />}
        <NoScript canBuy={shop?.hasGuestCheckout} isAlone={!isAdmin} />
        <LostScripts />
        <ShopContext value={shop}>
          <BookContext value={shop?.book}>{children}</BookContext>
        </ShopContext>
        <ScrollRestoration />
        <PageTexts />
        <Scripts />
      </body>
    </html>
  )
}

export default function App({ loaderData: { sendsMail, saleMode } }: Route.ComponentProps) {
  useAlive()
  const isSignedIn = useSession() !== undefined
  const navigate = useNavigate()
  useEffect(() => followLinks((to, options) => void navigate(to, options)), [navigate])
  useEffect(showCarriedNotice, [])
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
      <div className="contents">
        <Toasts />
      </div>
    </>
  )
}

/** Buttons work once the page is marked as alive (app.css, before-paint.ts). */
function useAlive(): void {
  useEffect(() => {
    document.documentElement.setAttribute('data-alive', '')
    document.documentElement.removeAttribute('data-lost')
  }, [])
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

type Navigate = (to: string, options: { replace: boolean }) => void

/** Links are plain elements; those to pages of the app are followed by its router, without loading a document. */
function followLinks(navigate: Navigate): () => void {
  // The listener is on the window, after React's own listeners, which may have prevented the event.
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : undefined
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link?.href || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download'))
      return
    const { origin, pathname, search, hash } = new URL(link.href)
    const isHere = pathname === location.pathname && search === location.search && hash !== ''
    if (origin !== location.origin || isHere) return
    // The router asks before unsaved text is lost, and loads the document then (document-redirect.tsx).
    if (!isAppPath(pathname) && !hasUnsavedChanges()) return carryNotice()
    event.preventDefault()
    navigate(pathname + search + hash, { replace: 'replaces' in link.dataset })
  }
  addEventListener('click', follow)
  return () => removeEventListener('click', follow)
}
