// Brings islands to life: loaded with the first press on one of them (loader.ts).
import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { readTextsFrom } from '#words/texts.ts'
import { receiptsAreSent } from '../page/page-state.ts'
import { wordingOfPage } from '../page/page-texts.tsx'
import { showCarriedNotice } from '../notices/named-notice.ts'
import { Toasts } from '../notices/toasts.tsx'
import { readIslandData, WithData } from './page-data.tsx'

readTextsFrom(wordingOfPage)

const data = readIslandData()
const { sendsMail, saleMode } = data.shop

// The sample's shop has the specification's words, also where it only keeps its emails.
receiptsAreSent.set(sendsMail || saleMode === 'sample')

/** `parts` by the names that the markup has of them; their props come from the page (island.tsx). */
// oxlint-disable-next-line typescript/no-explicit-any -- each part has props of its own
export function startIslands(islands: HTMLElement[], parts: Record<string, ComponentType<any>>): void {
  startToasts()
  for (const island of islands) {
    const Part = parts[island.dataset['part'] ?? '']
    if (!Part || 'alive' in island.dataset) continue
    const typed = readTyped(island)
    const content = (
      <WithData data={data}>
        <Part {...JSON.parse(island.dataset['props'] ?? '{}')} />
      </WithData>
    )
    // Hydration happens at once, so that the press that woke it finds it alive. A page that was translated is drawn
    // anew.
    flushSync(() =>
      hydrateRoot(island, content, {
        identifierPrefix: island.dataset['prefix'] ?? '',
        onRecoverableError: () => undefined,
      }),
    )
    restoreTyped(island, typed)
    island.dataset['alive'] = ''
  }
}

type Typed = ReturnType<typeof readTyped>

const fieldsOf = (island: HTMLElement) => [
  ...island.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    'input, textarea, select',
  ),
]

const isTick = (field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)

function readTyped(island: HTMLElement) {
  const fields = fieldsOf(island)
  const focused = fields.findIndex((field) => field === document.activeElement)
  const values = fields.map((field) => (isTick(field) ? field.checked : typedInto(field)))
  const { selectionStart = null, selectionEnd = null } =
    fields[focused] instanceof HTMLSelectElement ? {} : (fields[focused] ?? {})
  return { values, focused, selectionStart, selectionEnd }
}

/** Undefined where nothing was: what comes with waking may fill it in. */
function typedInto(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string | undefined {
  const isUnchanged = !(field instanceof HTMLSelectElement) && field.value === field.defaultValue
  return isUnchanged ? undefined : field.value
}

/** Fields that React could take over have all of it still. */
function restoreTyped(island: HTMLElement, { values, focused, selectionStart, selectionEnd }: Typed): void {
  for (const [index, field] of fieldsOf(island).entries()) {
    const value = values[index]
    if (isTick(field)) field.checked = value === true
    else if (typeof value === 'string' && field.value !== value) {
      field.value = value
      // Its component shows what depends on it.
      if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    if (index !== focused || field === document.activeElement) continue
    field.focus({ preventScroll: true })
    if (selectionStart !== null && !(field instanceof HTMLSelectElement))
      field.setSelectionRange(selectionStart, selectionEnd)
  }
}

let hasToasts = false

function startToasts(): void {
  const place = document.getElementById('toasts')
  if (!place || hasToasts) return
  hasToasts = true
  flushSync(() => createRoot(place, { identifierPrefix: 'toasts-' }).render(<Toasts />))
  showCarriedNotice()
}
