// The script of every page of the site, inside the page: it remembers what is pressed before its island is alive, wakes the
// island, and presses again. What cannot be woken is posted as the form that it is. All words come from the markup.
import { nextPath } from '#contract/next-path.ts'
import { signInPath } from '#contract/paths.ts'
import { randomId } from './random-id.ts'
import { onInput, restoreDrafts } from './typed-drafts.ts'

/** Its own file is the first of an island's. */
type Module = { start: (islands: HTMLElement[]) => void }

type Press = {
  island: HTMLElement
  /** The index among the island’s buttons: on a page that was translated, waking replaces the elements. */
  index: number
  button: HTMLButtonElement
  form: HTMLFormElement | undefined
  label: string
}

const root = document.documentElement
const waitMs = 8_000
const lifeMs = 10_000
const stayMs = 30_000

let press: Press | undefined
/** A form is on its way: no island takes anything then. */
let isPosted = false
let isPosting = false
let isLeaving = false
const woken: Record<string, Promise<Module | undefined>> = {}

const nameOf = (island: HTMLElement) => island.dataset['island'] ?? ''
const filesOf = (island: HTMLElement) => (island.dataset['files'] ?? '').split(' ')
const isAlive = (island: HTMLElement) => 'alive' in island.dataset
const needsScripts = (island: HTMLElement) => 'needsScripts' in island.dataset
const isSignedIn = () => root.hasAttribute('data-signed-in')
const islandOf = (element: Element) => element.closest<HTMLElement>('[data-island]')
const islandsOf = (name: string) => [...document.querySelectorAll<HTMLElement>(`[data-island="${name}"]`)]

/** Islands of one name come to life together. */
function wake(name: string): Promise<Module | undefined> {
  return (woken[name] ??= load(name).catch((error: unknown) => {
    // A later press tries again.
    delete woken[name]
    throw error
  }))
}

async function load(name: string): Promise<Module | undefined> {
  const [first] = islandsOf(name)
  const files = first ? filesOf(first) : []
  const [module]: Module[] = await Promise.all(files.map((file) => import(file)))
  if (isPosted) throw new Error('The form was posted.')
  // React compares the labels.
  if (press?.island.dataset['island'] === name) showLabel(press)
  module?.start(islandsOf(name))
  document.querySelector('[data-lost-shown]')?.remove()
  return module
}

function showLabel({ button, label }: Press): void {
  button.innerHTML = label
  button.removeAttribute('aria-busy')
}

function forget(now: Press): void {
  showLabel(now)
  if (press === now) press = undefined
}

function onPress(event: Event): void {
  if (!(event.target instanceof Element)) return
  const form =
    event instanceof SubmitEvent && event.target instanceof HTMLFormElement ? event.target : undefined
  const pressed = event instanceof SubmitEvent ? event.submitter : event.target.closest('button')
  const button = pressed ?? form?.querySelector('button[type=submit]')
  const island = button && islandOf(button)
  if (!(button instanceof HTMLButtonElement) || !island || isAlive(island)) return
  if (!form && button.type === 'submit') {
    // The shop says what is missing, in its own words.
    if (button.form) button.form.noValidate = true
    return
  }
  if (isPosting) return
  event.stopImmediatePropagation()
  if (press || isPosted) return event.preventDefault()
  const index = [...island.querySelectorAll('button')].indexOf(button)
  const now: Press = { island, index, button, form, label: button.innerHTML }
  press = now
  button.setAttribute('aria-busy', 'true')
  if (button.dataset['busy']) button.textContent = button.dataset['busy']
  // The browser posts the form where the answer can only be the sign-in.
  if (form && 'atOnce' in form.dataset && !isSignedIn() && navigator.onLine) return prepare(now, form)
  event.preventDefault()
  const timer = setTimeout(() => fallBack(now), waitMs)
  void wakeFor(now).finally(() => clearTimeout(timer))
}

async function wakeFor(now: Press): Promise<void> {
  try {
    const module = await wake(nameOf(now.island))
    // It came into the page after the others were alive (bars.ts).
    if (!isAlive(now.island)) {
      showLabel(now)
      module?.start([now.island])
    }
  } catch {
    return fallBack(now)
  }
  // The press is repeated after the event: a form that is being submitted is not submitted again.
  setTimeout(() => pressAgain(now))
}

function pressAgain(now: Press): void {
  if (press !== now) return
  press = undefined
  const button = now.button.isConnected ? now.button : now.island.querySelectorAll('button')[now.index]
  if (now.form && button?.form) button.form.requestSubmit(button)
  else button?.click()
}

/** A form without a session or a password posts by itself; else the page has to be loaded again. */
function fallBack(now: Press): void {
  if (press !== now || isPosted) return
  const { form, island } = now
  const canPost = form?.isConnected && !needsScripts(island) && !('session' in form.dataset && isSignedIn())
  if (canPost && navigator.onLine) return post(now, form)
  forget(now)
  sayLoadAgain()
}

function post(now: Press, form: HTMLFormElement): void {
  prepare(now, form)
  isPosting = true
  form.requestSubmit(now.button)
  isPosting = false
}

function prepare(now: Press, form: HTMLFormElement): void {
  const key = form.elements.namedItem('key')
  if (key instanceof HTMLInputElement && !key.value) key.value = randomId()
  isPosted = true
  // It was stopped, or went to another tab. A page that came back from the browser's cache has forgotten it already.
  setTimeout(() => {
    if (press !== now) return
    isPosted = false
    forget(now)
  }, stayMs)
}

function sayLoadAgain(): void {
  document.querySelector('[data-lost-shown]')?.remove()
  const state = navigator.onLine ? 'online' : 'offline'
  const template = document.querySelector<HTMLTemplateElement>(`template[data-lost="${state}"]`)
  template?.after(template.content.cloneNode(true))
}

/** A page that the browser shows again as it was left. */
function onShow({ persisted }: PageTransitionEvent): void {
  if (!persisted) return
  if (press) forget(press)
  isPosted = false
  root.hidden = false
  leaveSignIn()
}

/** The page of sign-in sends on who is signed in: before it is drawn, and when another tab has signed in. */
function leaveSignIn(): void {
  isLeaving = location.pathname === signInPath && isSignedIn()
  if (!isLeaving) return
  root.hidden = true
  location.replace(nextPath(location.search))
}

/** Fetches what is pointed at, touched, focused or typed into, and does not run it. */
function onHint({ type, target }: Event): void {
  const island = target instanceof HTMLElement ? islandOf(target) : undefined
  // The page gives its first field the focus by itself.
  if (type === 'focusin' && target instanceof HTMLElement && target.autofocus) return
  if (!island || 'hinted' in island.dataset || isAlive(island)) return
  island.dataset['hinted'] = ''
  for (const href of filesOf(island))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

/** `?code` in the address, `data-signed-in` on the document (before-paint.ts), `*` always, else a name in storage. */
function isDue(sign: string): boolean {
  if (sign === '*') return true
  if (sign.startsWith('data-')) return root.hasAttribute(sign)
  if (sign.startsWith('?')) return new URLSearchParams(location.search).has(sign.slice(1))
  return (sessionStorage.getItem(sign) ?? localStorage.getItem(sign)) !== null
}

function wakeDue(): void {
  if (isLeaving) return
  for (const island of document.querySelectorAll<HTMLElement>('[data-wakes]')) {
    const due = (island.dataset['wakes'] ?? '').split(' ').find(isDue)
    if (!due) continue
    // A page that was opened by a link's token hides its form (`linked:hidden`).
    const isNeeded = due === '*' || due === 'data-linked' || needsScripts(island)
    const timer = setTimeout(() => isNeeded && sayLoadAgain(), lifeMs)
    const woken = wake(nameOf(island)).catch(() => isNeeded && sayLoadAgain())
    void woken.finally(() => clearTimeout(timer))
  }
}

/** Tabs move by arrow keys once they are alive; until then the next one is pressed, and so wakes them. */
function onKey({ key, target }: KeyboardEvent): void {
  const tab = target instanceof Element ? target.closest('[role=tab]') : undefined
  const island = tab && islandOf(tab)
  if (!tab?.parentElement || !island || isAlive(island)) return
  const { firstElementChild, lastElementChild } = tab.parentElement
  const others: Record<string, Element | null> = {
    ArrowRight: tab.nextElementSibling ?? firstElementChild,
    ArrowLeft: tab.previousElementSibling ?? lastElementChild,
  }
  const other = others[key]
  if (!(other instanceof HTMLElement)) return
  other.focus()
  other.click()
}

function onClick(event: Event): void {
  const target = event.target instanceof Element ? event.target : undefined
  if (target?.closest('[data-load-again]')) location.reload()
  // The page glides only to a pressed place, not to one that its address came with (site.css).
  root.toggleAttribute('data-glides', Boolean(target?.closest('a[href^="#"]')))
  // The next page begins this purchase by itself: an address alone cannot.
  const link = target?.closest<HTMLElement>('[data-buys]')
  const isPlain = event instanceof MouseEvent && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (link && isPlain) sessionStorage.setItem('buys', `${link.dataset['buys']} ${Date.now()}`)
  onPress(event)
}

addEventListener('click', onClick, true)
addEventListener('submit', onPress, true)
addEventListener('keydown', onKey, true)
for (const type of ['pointerover', 'touchstart', 'focusin', 'input'])
  addEventListener(type, onHint, { capture: true, passive: true })
addEventListener('pageshow', onShow)
addEventListener('input', onInput, true)
addEventListener('hashchange', wakeDue)
addEventListener('storage', leaveSignIn)
leaveSignIn()
// An island without words of its own could not do what was pressed (account.island.ts).
addEventListener('lost', sayLoadAgain)
addEventListener('DOMContentLoaded', () => {
  for (const link of document.querySelectorAll<HTMLElement>('[data-in]'))
    link.hidden = !location.pathname.startsWith(link.dataset['in'] ?? '')
  restoreDrafts()
  wakeDue()
})
