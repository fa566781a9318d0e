import { useId } from 'react'
import type { Format } from '#contract/catalog/products.ts'

const hints: Record<Format, string> = {
  digital: 'Its buyers download its file. Until it has one, it is not for sale.',
  paperback: 'It goes by post. Its buyers have nothing to download.',
  hardcover: 'It goes by post. Its buyers have nothing to download.',
  bundle: 'Its buyers get what its parts hold, and its own file if it has one.',
}

type DigitalTickProps = {
  format: Format
  hasDownload: boolean
}

export function DigitalTick({ format, hasDownload }: DigitalTickProps) {
  const hint = useId()
  return (
    <div>
      <label className="flex items-center gap-3 font-semibold">
        <input
          type="checkbox"
          disabled
          checked={format === 'digital' || (format === 'bundle' && hasDownload)}
          aria-describedby={hint}
          className="tick"
        />
        Digital product, with a download
      </label>
      <p id={hint} className="mt-1 pl-8 text-sm text-soft">
        {hints[format]}
      </p>
    </div>
  )
}
