// What every page does by itself before it is painted, and until its scripts have brought it to life (`data-alive`).
// It travels inside the page, as text: no request stands between it and the first paint.
import { storageKey } from './stored-session.ts'

/** Where the browser forbids storage, one that forgets stands in: not all of the router's own reading is guarded. */
const guardStorage = `
for (const name of ['localStorage', 'sessionStorage']) {
  try { window[name] }
  catch { Object.defineProperty(window, name, { value: { getItem: () => null, setItem() {}, removeItem() {} } }) }
}`

/**
 * The kept page is the same for all: a user who is signed in shall be greeted as one from the first moment, and who
 * owes the code of a second factor (session.ts) shall not.
 */
const greetReader = `
const root = document.documentElement
try {
  const { access_token, user } = JSON.parse(localStorage.getItem('${storageKey}'))
  const level = () => JSON.parse(atob(access_token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).aal
  const owesCode = user.factors?.some(({ status }) => status === 'verified') && level() !== 'aal2'
  root.setAttribute(owesCode ? 'data-owes-code' : 'data-signed-in', '')
} catch {}`

/** The sign-in names the product that was wanted (wanted-product.ts) once it is alive; its room is there before. */
const reserveRoom = `
if (/[?&]next=[^&]*product%3D/i.test(location.search)) root.setAttribute('data-wants', '')`

/**
 * Nobody is signed in by an address. Tokens in one came from another user, or were copied by mistake: nothing later,
 * the history included, is to find them there. `popstate` comes for a changed hash, too.
 */
const dropTokens = `
function dropTokens() {
  if (/[#?&](access|refresh)_token=/.test(location.href)) history.replaceState(history.state, '', location.pathname)
}
dropTokens()
addEventListener('popstate', dropTokens)`

/**
 * A button that is pressed too early waits, and shows it; a form that is sent too early would leave the page and lose
 * what was typed. Nobody else hears of it, so that it is done once. Who writes on after sending has more to say.
 */
const keepEarlyPresses = `
const isAlive = () => root.hasAttribute('data-alive')
let waiting
function wait(button) {
  waiting?.removeAttribute('aria-busy')
  waiting = button
  waiting?.setAttribute('aria-busy', 'true')
}
addEventListener('submit', (event) => {
  if (isAlive()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  wait(event.submitter)
}, true)
addEventListener('click', (event) => {
  const button = isAlive() ? null : event.target.closest('button')
  if (!button) return
  event.stopImmediatePropagation()
  if (button.type !== 'submit') wait(button)
}, true)
addEventListener('input', (event) => { if (waiting?.form?.contains(event.target)) wait() }, true)
new MutationObserver((_, observer) => {
  if (!isAlive()) return
  observer.disconnect()
  const button = waiting
  wait()
  button?.click()
}).observe(root, { attributeFilter: ['data-alive'] })`

/**
 * The scripts that the server put off (its `site/scripts.ts`) are fetched once all is painted, at the first touch or
 * key, and in any case after three seconds.
 */
const startScripts = `
function start() {
  const later = document.getElementById('later')
  if (!later) return document.readyState === 'loading' && addEventListener('DOMContentLoaded', start)
  later.removeAttribute('id')
  for (const link of document.querySelectorAll('link[rel=later]')) link.rel = 'modulepreload'
  const script = document.createElement('script')
  script.type = 'module'
  script.textContent = later.textContent
  document.head.append(script)
}
const whenPainted = () => new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
addEventListener('load', () => requestAnimationFrame(whenPainted))
for (const type of ['pointerdown', 'keydown', 'click']) addEventListener(type, start, true)
setTimeout(start, 3000)`

export function beforePaint(): string {
  const parts = [guardStorage, dropTokens, greetReader, reserveRoom, keepEarlyPresses, startScripts]
  return `{${parts.join('').replaceAll(/\n */g, '\n')}\n}`
}
