// The carrier and the tracking number of a parcel, as a link where the carrier’s page is known.
import { controlsTexts } from '#words/site.ts'
import { ExternalLink } from '../components/further-icons.tsx'
import { trackingUrl } from '#contract/orders/postal.ts'

type TrackingProps = { carrier: string | null; tracking_number: string | null }

export function Tracking({ carrier, tracking_number }: TrackingProps) {
  const url = trackingUrl(carrier, tracking_number)
  if (!tracking_number) return carrier
  return (
    <>
      {carrier || controlsTexts.trackingNumber}{' '}
      {url ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="inline-block max-w-full rounded-sm break-words text-ink underline underline-offset-4"
        >
          {tracking_number}
          <ExternalLink aria-hidden className="ms-1 inline size-3.5" />
          <span className="sr-only"> {controlsTexts.opensTab}</span>
        </a>
      ) : (
        <span className="inline-block max-w-full break-words">{tracking_number}</span>
      )}
    </>
  )
}
