import { buttonClass } from '../../components/button.tsx'
import { ExternalLink } from '../../components/further-icons.tsx'

export function OpenAtStripe({ url }: { url: string | null | undefined }) {
  if (!url) return null
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
      Open at Stripe
      <ExternalLink aria-hidden className="size-4" />
    </a>
  )
}
