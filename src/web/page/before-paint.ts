// The script that runs in every page before the first paint. It stands in the page as text, so that no request delays
// the paint.
import { discountKey } from './page-state.ts'
import { signInPath } from '#contract/paths.ts'
import { storageKey } from '../session/session-key.ts'

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

/** The sign-in page shows the chosen product (sign-in-form.tsx) once it is alive; its room is reserved before. */
const reserveRoom = `
if (/[?&]next=[^&]*product%3D/i.test(location.search)) root.setAttribute('data-wants', '')`

/** Passkeys belong to a name: at an address of numbers browsers refuse them. */
const markPasskeys = `
root.toggleAttribute('data-passkeys', 'PublicKeyCredential' in window && !/^[\\d.]+$|^\\[/.test(location.hostname))`

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
 * An address with the id of its checkout opens a guest's purchase (guest-purchase-without-scripts.tsx): the id is taken out
 * at once, and the page of the purchase makes it into this browser's proof (read-purchase.ts). The server's rendering stays
 * where nothing is stored.
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

/** These pages are of who is signed in. Others are led on before the app is loaded (private-page.tsx). */
const requireSession = `
if (!root.hasAttribute('data-signed-in') && /^\\/(dashboard|account|admin)(\\/|$)/.test(location.pathname)) {
  root.hidden = true
  const next = encodeURIComponent(location.pathname + location.search).replaceAll('%2F', '/')
  location.replace('${signInPath}?next=' + next)
}`

/** Milliseconds after which a page says that it did not come to life. A lost script is said at once. */
const lifeMs = 10_000

/** Until React runs (`data-alive`). The words are in the page (page-shell.tsx). */
const sayLost = `
function sayLost() {
  if (!root.hasAttribute('data-alive')) root.setAttribute('data-lost', navigator.onLine ? 'online' : 'offline')
}
setTimeout(sayLost, ${lifeMs})
addEventListener('error', ({ target }) => {
  if (target instanceof HTMLScriptElement || target.rel === 'modulepreload') sayLost()
}, true)
addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-load-again]')) location.reload()
}, true)`

/** The browser would send a form itself until React runs (`data-alive`), leave the page and lose the typed text. */
const guardForms = `
addEventListener('submit', (event) => { if (!root.hasAttribute('data-alive')) event.preventDefault() }, true)`

export function beforePaint(front: 'site' | 'app'): string {
  const own =
    front === 'site'
      ? [leaveReturn, followSession, markLink, reserveCodeLine, reserveRoom]
      : [requireSession, guardForms, sayLost]
  const parts = [guardStorage, dropTokens, markSession, markPasskeys, ...own]
  return `{${parts.join('').replaceAll(/\n */g, '\n')}\n}`
}
