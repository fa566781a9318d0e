// The script of every page of the site, inside the page: it remembers what is pressed before its island is alive, wakes the
// island, and presses again. What cannot be woken is posted as the form that it is. All words come from the markup.

/** Its own file is the first of an island's. */
type Module = { start: (islands: HTMLElement[]) => void }

type Press = {
  island: HTMLElement
  /** Among the island's buttons: waking may replace the elements. */
  index: number
  button: HTMLButtonElement
  form: HTMLFormElement | undefined
  label: string
}

const root = document.documentElement
const waitMs = 8_000

let press: Press | undefined
/** A form is on its way: no island takes anything then. */
let isPosted = false
let isPosting = false
const woken: Record<string, Promise<void>> = {}

const nameOf = (island: HTMLElement) => island.dataset['island'] ?? ''
const filesOf = (island: HTMLElement) => (island.dataset['files'] ?? '').split(' ')
const isSignedIn = () => root.hasAttribute('data-signed-in')
const islandOf = (element: Element) => element.closest<HTMLElement>('[data-island]')

/** Islands of one name come to life together. */
function wake(name: string): Promise<void> {
  return (woken[name] ??= load(name).catch((error: unknown) => {
    // What is pressed later tries again.
    delete woken[name]
    throw error
  }))
}

async function load(name: string): Promise<void> {
  const islands = [...document.querySelectorAll<HTMLElement>(`[data-island="${name}"]`)]
  const files = islands[0] ? filesOf(islands[0]) : []
  const [module]: Module[] = await Promise.all(files.map((file) => import(file)))
  if (isPosted) throw new Error('The form was posted.')
  // React compares the labels.
  if (press?.island.dataset['island'] === name) release(press)
  module?.start(islands)
}

function release({ button, label }: Press): void {
  button.innerHTML = label
  button.removeAttribute('aria-busy')
}

function onPress(event: Event): void {
  if (!(event.target instanceof Element)) return
  const form =
    event instanceof SubmitEvent && event.target instanceof HTMLFormElement ? event.target : undefined
  const pressed = event instanceof SubmitEvent ? event.submitter : event.target.closest('button')
  const button = pressed ?? form?.querySelector('button[type=submit]')
  const island = button && islandOf(button)
  if (!(button instanceof HTMLButtonElement) || !island || 'alive' in island.dataset) return
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
  // Where the answer can only be the sign-in, the browser posts it.
  if (form && 'atOnce' in form.dataset && !isSignedIn()) return prepare(form)
  event.preventDefault()
  const timer = setTimeout(() => fallBack(now, false), waitMs)
  void wakeFor(now).finally(() => clearTimeout(timer))
}

async function wakeFor(now: Press): Promise<void> {
  try {
    await wake(nameOf(now.island))
  } catch {
    return fallBack(now, true)
  }
  pressAgain(now)
}

function pressAgain({ island, index, form }: Press): void {
  press = undefined
  const button = island.querySelectorAll('button')[index]
  if (form && button?.form) button.form.requestSubmit(button)
  else button?.click()
}

/** A form without a session posts by itself; anything else waits, or says that the page has to be loaded again. */
function fallBack(now: Press, hasFailed: boolean): void {
  if (press !== now || isPosted) return
  const { form } = now
  const canPost = form && !('session' in form.dataset && isSignedIn()) && navigator.onLine
  if (canPost) return post(now, form)
  if (!hasFailed) return
  release(now)
  press = undefined
  sayLoadAgain()
}

function post({ button }: Press, form: HTMLFormElement): void {
  prepare(form)
  isPosting = true
  form.requestSubmit(button)
  isPosting = false
}

function prepare(form: HTMLFormElement): void {
  isPosted = true
  const key = form.elements.namedItem('key')
  if (key instanceof HTMLInputElement && !key.value) key.value = crypto.randomUUID()
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
  if (press) release(press)
  press = undefined
  isPosted = false
  for (const name of Object.keys(woken)) if (!isAlive(name)) delete woken[name]
}

const isAlive = (name: string) => document.querySelector(`[data-island="${name}"][data-alive]`) !== null

/** What is pointed at, touched or focused is fetched, and not run. */
function onHint({ target }: Event): void {
  const island = target instanceof Element ? islandOf(target) : undefined
  if (!island || 'hinted' in island.dataset || 'alive' in island.dataset) return
  island.dataset['hinted'] = ''
  for (const href of filesOf(island))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

/** `?code` in the address, `#` by the link of an email, `@` signed in, `*` always, else a name in storage. */
function isDue(sign: string): boolean {
  if (sign === '*') return true
  if (sign === '@') return isSignedIn()
  if (sign === '#') return root.hasAttribute('data-linked')
  if (sign.startsWith('?')) return new URLSearchParams(location.search).has(sign.slice(1))
  return (sessionStorage.getItem(sign) ?? localStorage.getItem(sign)) !== null
}

function wakeDue(): void {
  for (const island of document.querySelectorAll<HTMLElement>('[data-wakes]')) {
    const due = (island.dataset['wakes'] ?? '').split(' ').find(isDue)
    if (due) wake(nameOf(island)).catch(() => due === '*' && sayLoadAgain())
  }
}

// What is typed stays in the tab until it was sent.

type Typed = HTMLInputElement | HTMLTextAreaElement

const typedFields = (form: HTMLFormElement) => [
  ...form.querySelectorAll<Typed>('input:not([type=hidden]), textarea'),
]

function onInput({ target }: Event): void {
  const form = target instanceof Element && target.closest('form')
  const draft = form && form.dataset['draft']
  if (!draft) return
  const fields = typedFields(form).map(({ name, value }) => [name, value])
  sessionStorage.setItem(draft, JSON.stringify(Object.fromEntries(fields)))
}

function readDraft(name: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(sessionStorage.getItem(name) ?? '{}'))
  } catch {
    return {}
  }
}

function restoreDrafts(): void {
  // A form that was posted without its island has arrived.
  const sent = document.querySelector<HTMLElement>('[data-sent]')
  if (sent) sessionStorage.removeItem(sent.dataset['sent'] ?? '')
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
    const draft = readDraft(form.dataset['draft'] ?? '')
    for (const field of typedFields(form)) {
      const value: unknown = draft[field.name]
      if (!field.value && typeof value === 'string') field.value = value
    }
  }
}

function onClick(event: Event): void {
  const target = event.target instanceof Element ? event.target : undefined
  if (target?.closest('[data-load-again]')) location.reload()
  // Only what is pressed glides to its place, not a page that comes with one (site.css).
  root.toggleAttribute('data-glides', Boolean(target?.closest('a[href^="#"]')))
  // The next page begins this purchase by itself: an address alone cannot.
  const link = target?.closest<HTMLElement>('[data-buys]')
  if (link) sessionStorage.setItem('buys', link.dataset['buys'] ?? '')
  onPress(event)
}

addEventListener('click', onClick, true)
addEventListener('submit', onPress, true)
for (const type of ['pointerover', 'touchstart', 'focusin'])
  addEventListener(type, onHint, { capture: true, passive: true })
addEventListener('pageshow', onShow)
addEventListener('input', onInput, true)
addEventListener('hashchange', wakeDue)
addEventListener('DOMContentLoaded', () => {
  for (const link of document.querySelectorAll<HTMLElement>('[data-in]'))
    link.hidden = !location.pathname.startsWith(link.dataset['in'] ?? '')
  restoreDrafts()
  wakeDue()
})
