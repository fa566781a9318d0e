// The email address as far as it was typed: the same in each form of the sign-in, and after a reload of this tab.
// A password is never kept.

const name = 'typed-email'

/** The page's script keeps what is typed into such a field, and fills it in (site/typed-drafts.ts). */
export const typedEmailField = { 'data-kept': name }

export function typedEmail(): string {
  return sessionStorage.getItem(name) ?? ''
}

export function saveTypedEmail(email: string): void {
  sessionStorage.setItem(name, email)
}

export function clearTypedEmail(): void {
  sessionStorage.removeItem(name)
}
