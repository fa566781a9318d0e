// oxlint-disable react/no-array-index-key -- what is published never changes its order
import { useBook } from '../../book.ts'

const middle = 400
const vanishing = 560
const ratio = 1.06

export function Arches({ className }: { className: string }) {
  const { words } = useBook()
  return (
    <svg viewBox="0 -90 800 790" className={`fill-none stroke-gold ${className}`} aria-hidden>
      <defs>
        <radialGradient id="doorway" cx="0.5" cy="0.72" r="0.8">
          <stop offset="0" className="doorway-core" />
          <stop offset="0.5" className="doorway-glow" />
          <stop offset="1" className="doorway-rim" />
        </radialGradient>
      </defs>
      {words.map((_, index) => (
        <path
          key={index}
          d={outline(ratio ** index)}
          strokeOpacity={(0.85 * 0.76 ** index).toFixed(2)}
          strokeWidth={1.25}
          fill={index === 0 ? 'url(#doorway)' : undefined}
        />
      ))}
    </svg>
  )
}

function outline(scale: number): string {
  const half = round(215 * scale)
  const spring = round(vanishing - 185 * scale)
  const foot = round(vanishing + 70 * scale)
  return `M${middle - half} ${foot}V${spring}A${half} ${half} 0 0 1 ${middle + half} ${spring}V${foot}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
