// Notices that an address names, where the browser forbids storage or a form was posted: never a text, for anybody can make
// a link.
import { buyingTexts } from '#words/buying.ts'
import { takeNotice } from './stored-notice.ts'
import type { Toast } from '../page/page-state.ts'
import { toast } from './toasts.tsx'

const notices: Readonly<Record<string, () => Toast>> = {
  'sign-in-first': () => ({ ...buyingTexts.signInFirst, destructive: true, isBrief: true }),
}

/** Shows the notice of the page before, once a document can show notices. */
export function showCarriedNotice(): void {
  const notice = takeNotice() ?? takeNamed()
  if (notice) toast(notice)
}

function takeNamed(): Toast | undefined {
  const search = new URLSearchParams(location.search)
  const name = search.get('notice')
  if (name === null) return undefined
  search.delete('notice')
  const rest = search.size > 0 ? `?${search.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + rest + location.hash)
  return Object.hasOwn(notices, name) ? notices[name]?.() : undefined
}
