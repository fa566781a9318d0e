// A rating in stars, with its source.
import { useId } from 'react'
import { homeTexts } from '#words/home.ts'
import { fillParts } from '../../format/fill-parts.tsx'

const best = 5
const star = 'm12 2.6 2.9 5.9 6.5 1-4.7 4.5 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.5l6.5-1z'

export function Rating({ stars, source }: { stars: number; source: string }) {
  const id = useId()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <svg viewBox={`0 0 ${best * 24} 24`} className="h-6 w-30" aria-hidden>
        <clipPath id={id}>
          <rect width={stars * 24} height={24} />
        </clipPath>
        <Stars className="fill-line" />
        <g clipPath={`url(#${id})`}>
          <Stars className="fill-gold" />
        </g>
      </svg>
      <span>
        {fillParts(homeTexts.rating, { stars: <strong className="font-semibold">{stars}</strong>, best })}
        {source && <span className="text-soft"> · {source}</span>}
      </span>
    </p>
  )
}

function Stars({ className }: { className: string }) {
  return Array.from({ length: best }, (_, index) => (
    <path key={index} d={star} transform={`translate(${index * 24})`} className={className} />
  ))
}
