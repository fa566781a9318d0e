import { controlsTexts } from '#words/controls.ts'
import { ArrowRight } from './icons.tsx'
import { ArrowLeft } from './further-icons.tsx'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { Button, buttonClass } from './button.tsx'

export function Pager({ next }: { next: string | null }) {
  const [search] = useSearchParams()
  const walked: unknown = useLocation().state?.pagesBehind
  const navigate = useNavigate()
  const isFirst = !search.has('after')
  const pagesBehind = typeof walked === 'number' ? walked : 0
  if (isFirst && !next) return null

  function goBack() {
    const first = new URLSearchParams(search)
    first.delete('after')
    void (pagesBehind > 0 ? navigate(-1) : navigate(`?${first}`))
  }
  const following = new URLSearchParams(search)
  if (next) following.set('after', next)
  return (
    <nav
      aria-label={controlsTexts.pages}
      className="flex items-center justify-between gap-3 border-t border-line p-3"
    >
      <Button look="quiet" disabled={isFirst} onClick={goBack}>
        <ArrowLeft aria-hidden className="size-4.5" />
        {isFirst || pagesBehind > 0 ? controlsTexts.previous : controlsTexts.firstPage}
      </Button>
      {next ? (
        <Link className={buttonClass('quiet')} to={`?${following}`} state={{ pagesBehind: pagesBehind + 1 }}>
          {controlsTexts.next}
          <ArrowRight aria-hidden className="size-4.5" />
        </Link>
      ) : (
        <span className="px-5 text-sm text-soft">{controlsTexts.end}</span>
      )}
    </nav>
  )
}
