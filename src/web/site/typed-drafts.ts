// Text that is typed stays in the tab until it was sent.

type Typed = HTMLInputElement | HTMLTextAreaElement

const typedFields = (form: HTMLFormElement) => [
  ...form.querySelectorAll<Typed>('input:not([type=hidden]), textarea'),
]

export function onInput({ target }: Event): void {
  if (target instanceof HTMLInputElement) keepTyped(target)
  const form = target instanceof Element && target.closest('form')
  const draft = form && form.dataset['draft']
  if (!draft) return
  // The draft leaves out what the account filled in: the next to use the tab may be somebody else.
  const fields = typedFields(form).filter(({ value, dataset }) => value !== dataset['filled'])
  sessionStorage.setItem(
    draft,
    JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))),
  )
}

const keptFields = (name: string) => [
  ...document.querySelectorAll<HTMLInputElement>(`input[data-kept="${name}"]`),
]

/** One field of several forms: what is typed into one stands in all of them. */
function keepTyped({ dataset, value }: HTMLInputElement): void {
  const name = dataset['kept']
  if (!name) return
  sessionStorage.setItem(name, value)
  for (const field of keptFields(name)) if (field.value !== value) field.value = value
}

/** What stands in a field already is newer than what was kept. The focus is where typing goes on. */
function restoreKept(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-kept]')) {
    if (field.value) keepTyped(field)
    else field.value = sessionStorage.getItem(field.dataset['kept'] ?? '') ?? ''
  }
  const first = document.querySelector<HTMLInputElement>('input[autofocus]')
  const { activeElement, body } = document
  const isElsewhere = activeElement !== first && activeElement !== body
  if (first?.value && !isElsewhere) first.form?.querySelector<HTMLElement>('input[type=password]')?.focus()
}

function readDraft(name: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(sessionStorage.getItem(name) ?? '{}'))
  } catch {
    return {}
  }
}

export function restoreDrafts(): void {
  restoreKept()
  // A form that was posted without its island has arrived.
  const sent = document.querySelector<HTMLElement>('[data-sent]')
  if (sent) {
    sessionStorage.removeItem(sent.dataset['sent'] ?? '')
    // A reload keeps what is typed since.
    history.replaceState(history.state, '', '/#contact')
  }
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
    const draft = readDraft(form.dataset['draft'] ?? '')
    for (const field of typedFields(form)) {
      const value: unknown = draft[field.name]
      if (!field.value && typeof value === 'string') field.value = value
    }
  }
}
