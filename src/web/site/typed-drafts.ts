// Text that is typed stays in the tab until it was sent.

type Typed = HTMLInputElement | HTMLTextAreaElement

const typedFields = (form: HTMLFormElement) => [
  ...form.querySelectorAll<Typed>('input:not([type=hidden]), textarea'),
]

export function onInput({ target }: Event): void {
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

function readDraft(name: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(sessionStorage.getItem(name) ?? '{}'))
  } catch {
    return {}
  }
}

export function restoreDrafts(): void {
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
