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

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Typed = {
  field: Field
  /** Among the fields of its name. */
  place: number
  value: boolean | string | undefined
  isFocused: boolean
  selection: [start: number, end: number | null] | undefined
}

const fieldsOf = (island: HTMLElement) => [...island.querySelectorAll<Field>('input, textarea, select')]

const namesakesOf = (fields: readonly Field[], { name }: Field) => fields.filter((each) => each.name === name)

const isTick = (field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)

function readTyped(island: HTMLElement): Typed[] {
  const fields = fieldsOf(island)
  return fields.map((field) => {
    const start = field instanceof HTMLSelectElement ? null : field.selectionStart
    const end = field instanceof HTMLSelectElement ? null : field.selectionEnd
    return {
      field,
      place: namesakesOf(fields, field).indexOf(field),
      value: isTick(field) ? field.checked : typedInto(field),
      isFocused: field === document.activeElement,
      selection: start === null ? undefined : [start, end],
    }
  })
}

/** Undefined where nothing was: what comes with waking may fill it in. */
function typedInto(field: Field): string | undefined {
  const isUnchanged = !(field instanceof HTMLSelectElement) && field.value === field.defaultValue
  return isUnchanged ? undefined : field.value
}

/** Fields that React took over have all of it still. */
function restoreTyped(island: HTMLElement, typed: readonly Typed[]): void {
  const fields = fieldsOf(island)
  for (const { field: before, place, value, isFocused, selection } of typed) {
    const field = before.isConnected ? undefined : namesakesOf(fields, before)[place]
    if (!field) continue
    if (isTick(field)) field.checked = value === true
    else if (typeof value === 'string' && field.value !== value) {
      field.value = value
      // Its component shows what depends on it.
      if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    if (!isFocused || field === document.activeElement) continue
    field.focus({ preventScroll: true })
    if (selection && !(field instanceof HTMLSelectElement)) field.setSelectionRange(...selection)
  }
}

let hasToasts = false

function startToasts(): void {
  const place = document.getElementById('toasts')
  if (!place || hasToasts) return
  hasToasts = true
  // What is pressed in it is not taken by the loader.
  place.dataset['alive'] = ''
  flushSync(() => createRoot(place, { identifierPrefix: 'toasts-' }).render(<Toasts />))
  showCarriedNotice()
}
