// The header of who is signed in: plain, for it comes with each page that a reader opens.
import { storeNotice } from '../notices/stored-notice.ts'
import { fetchMe, signOut, signOutSignal, storedSession } from '../session/session.ts'

export function start([header]: HTMLElement[]): void {
  if (!header) return
  header.dataset['alive'] = ''
  const button = header.querySelector<HTMLButtonElement>('[data-sign-out]')
  button?.addEventListener('click', () => void leave(button))
  void showAdminLink(header)
  fillInContact()
}

/**
 * Fills in the visitor who writes to the author. Text that is typed, or was before a reload, stays. What is filled in
 * is no draft (loader.ts).
 */
function fillInContact(): void {
  const fields = document.querySelector<HTMLFormElement>('#contact form')?.elements
  const user = storedSession()?.user
  for (const name of ['name', 'email'] as const) {
    const field = fields?.namedItem(name)
    if (!(field instanceof HTMLInputElement) || field.value) continue
    field.value = field.dataset['filled'] = user?.[name] ?? ''
  }
}

async function showAdminLink(header: HTMLElement): Promise<void> {
  const link = header.querySelector<HTMLElement>('[data-admin]')
  const me = await fetchMe(signOutSignal()).catch(() => undefined)
  if (link) link.hidden = me?.isAdmin !== true
}

async function leave(button: HTMLButtonElement): Promise<void> {
  if (button.ariaBusy) return
  button.ariaBusy = 'true'
  try {
    await signOut({ isByUser: true })
    storeNotice({ title: button.dataset['signOut'] ?? '' })
    location.assign('/')
  } catch {
    button.ariaBusy = null
    // The loader says it.
    dispatchEvent(new Event('lost'))
  }
}
