// The email address as far as it was typed: the same in each form of the card, and after a reload of this tab.
// A password is never kept.

const name = 'typed-email'

export function typedEmail(): string {
  return sessionStorage.getItem(name) ?? ''
}

export function saveTypedEmail(email: string): void {
  sessionStorage.setItem(name, email)
}

export function clearTypedEmail(): void {
  sessionStorage.removeItem(name)
}

export function shareTypedEmail(card: HTMLElement, typedInto: EventTarget): void {
  if (!(typedInto instanceof HTMLInputElement) || typedInto.name !== 'email') return
  saveTypedEmail(typedInto.value)
  for (const field of emailFields(card)) if (field !== typedInto) field.value = typedInto.value
}

/** Text that stands in a field already is newer than the stored address, and stays. */
export function restoreTypedEmail(card: HTMLElement): void {
  const fields = emailFields(card)
  const typed = fields.find(({ value }) => value !== '')
  if (typed) shareTypedEmail(card, typed)
  else for (const field of fields) field.value = typedEmail()
}

function emailFields(card: HTMLElement): HTMLInputElement[] {
  return [...card.querySelectorAll<HTMLInputElement>('input[name=email]')]
}
