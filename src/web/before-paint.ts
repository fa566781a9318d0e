// What every page does by itself before it is painted, and until its scripts have brought it to life (`data-alive`).
// It travels inside the page, as text: no request stands between it and the first paint.
import { storageKey } from './session.ts'

/** Where the browser forbids storage, one that forgets stands in: not all of the router's own reading is guarded. */
const guardStorage = `
for (const name of ['localStorage', 'sessionStorage']) {
  try { window[name] }
  catch { Object.defineProperty(window, name, { value: { getItem: () => null, setItem() {}, removeItem() {} } }) }
}`

/** The kept page is the same for all: a reader who is signed in shall be greeted as one from the first moment. */
const greetReader = `
const root = document.documentElement
try { if (localStorage.getItem('${storageKey}')) root.setAttribute('data-signed-in', '') } catch {}`

/** A form that is sent too early would leave the page and lose what was typed; a button that is pressed waits. */
const keepEarlyPresses = `
const isAlive = () => root.hasAttribute('data-alive')
let pressed
addEventListener('submit', (event) => { if (!isAlive()) event.preventDefault() }, true)
addEventListener('click', (event) => { if (!isAlive()) pressed = event.target.closest('button') }, true)
new MutationObserver((_, observer) => {
  if (!isAlive()) return
  observer.disconnect()
  pressed?.click()
}).observe(root, { attributeFilter: ['data-alive'] })`

/**
 * The scripts that the server put off (its `site/scripts.ts`) are fetched once all is painted, at the first touch or
 * key, and in any case after three seconds.
 */
const startScripts = `
function start() {
  const later = document.getElementById('later')
  if (!later) return
  later.removeAttribute('id')
  for (const link of document.querySelectorAll('link[rel=later]')) link.rel = 'modulepreload'
  const script = document.createElement('script')
  script.type = 'module'
  script.textContent = later.textContent
  document.head.append(script)
}
const whenPainted = () => new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
addEventListener('load', () => requestAnimationFrame(whenPainted))
for (const type of ['pointerdown', 'keydown']) addEventListener(type, start, true)
setTimeout(start, 3000)`

export function beforePaint(): string {
  const parts = [guardStorage, greetReader, keepEarlyPresses, startScripts]
  return `{${parts.join('').replaceAll(/\n */g, '\n')}\n}`
}
