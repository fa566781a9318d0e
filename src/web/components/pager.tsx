// From page to page of a long list: on by key, back by the browser's own history.
import { ArrowLeft, ArrowRight } from './icons.tsx'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { Button, ButtonLink } from './button.tsx'

/** How many pages were walked to come here; a page opened by its address has none behind it. */
type Walk = { pagesBehind?: number } | null

export function Pager({ next }: { next: string | null }) {
  const [search] = useSearchParams()
  const state = useLocation().state as Walk
  const navigate = useNavigate()
  const isFirst = !search.has('after')
  const pagesBehind = state?.pagesBehind ?? 0
  if (isFirst && !next) return null

  function goBack() {
    const first = new URLSearchParams(search)
    first.delete('after')
    void (pagesBehind > 0 ? navigate(-1) : navigate(`?${first}`))
  }
  const following = new URLSearchParams(search)
  if (next) following.set('after', next)
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t border-line p-3">
      <Button look="quiet" disabled={isFirst} onClick={goBack}>
        <ArrowLeft aria-hidden className="size-4.5" />
        {isFirst || pagesBehind > 0 ? 'Previous' : 'First page'}
      </Button>
      {next ? (
        <ButtonLink look="quiet" to={`?${following}`} state={{ pagesBehind: pagesBehind + 1 }}>
          Next
          <ArrowRight aria-hidden className="size-4.5" />
        </ButtonLink>
      ) : (
        <span className="px-5 text-sm text-soft">That is all</span>
      )}
    </nav>
  )
}
