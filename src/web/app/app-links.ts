// Links are plain elements; those to pages of the app are followed by its router, without loading a document.
import { carryNotice } from '../carried-notice.ts'
import { hasUnsavedChanges } from '../use-unsaved-changes.ts'
import { isAppPath } from '#contract/paths.ts'

type Navigate = (to: string, options: { replace: boolean }) => void

export function followLinks(navigate: Navigate): () => void {
  // On the window, after React's own listeners, which may have prevented it.
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : undefined
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link?.href || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download'))
      return
    const { origin, pathname, search, hash } = new URL(link.href)
    const isHere = pathname === location.pathname && search === location.search && hash !== ''
    if (origin !== location.origin || isHere) return
    // The router asks before unsaved text is lost, and loads the document then (leave.tsx).
    if (!isAppPath(pathname) && !hasUnsavedChanges()) return carryNotice()
    event.preventDefault()
    navigate(pathname + search + hash, { replace: 'replaces' in link.dataset })
  }
  addEventListener('click', follow)
  return () => removeEventListener('click', follow)
}
