// Notices that have a name: the next page, which may be in another language, says them in its own words. An address names the
// one of a posted form, or where the browser forbids storage: never a text, for anybody can make a link.
import { buyingTexts } from '#words/buying.ts'
import { siteTexts } from '#words/site.ts'
import { takeNotice } from './stored-notice.ts'
import type { Toast } from '../page/page-state.ts'
import { toast } from './toasts.tsx'

const notices = {
  'sign-in-first': () => ({ ...buyingTexts.signInFirst, destructive: true, isBrief: true }),
  'signed-out': () => ({ title: siteTexts.signedOut }),
  'session-ended': () => ({ title: siteTexts.signedOut, description: siteTexts.sessionEnded }),
} satisfies Record<string, () => Toast>

type Name = keyof typeof notices

export function namedNotice(name: Name): Toast {
  return { name, ...notices[name]() }
}

const isName = (name: string): name is Name => Object.hasOwn(notices, name)

/** Shows the notice of the page before, once a document can show notices. */
export function showCarriedNotice(): void {
  const carried = takeNotice()
  const name = carried ? carried.name : takeName()
  const notice = name && isName(name) ? { ...carried, ...namedNotice(name) } : carried
  if (notice) toast(notice)
}

function takeName(): Name | undefined {
  const search = new URLSearchParams(location.search)
  const name = search.get('notice')
  if (name === null) return undefined
  search.delete('notice')
  const rest = search.size > 0 ? `?${search.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + rest + location.hash)
  return name === 'sign-in-first' ? name : undefined
}
