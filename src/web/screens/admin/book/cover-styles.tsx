import { coverStyles, type CoverStyle } from '#contract/book/cover-styles.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import { DrawnCover } from '../../../cover.tsx'
import type { PartProps } from './draft-fields.tsx'

const titles: Record<CoverStyle, string> = { arches: 'Arches', frame: 'Frame', horizon: 'Horizon' }

/** With the title and the author as they are typed. */
export function CoverStyles({ document, change }: PartProps) {
  return (
    <fieldset>
      <legend className="font-semibold">Drawn cover</legend>
      <div className="mt-3 grid grid-cols-3 gap-2 sm:gap-3">
        {coverStyles.map((style) => (
          <label
            key={style}
            className="relative cursor-pointer rounded-md border border-edge p-2 sm:p-3 has-checked:border-ink has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus"
          >
            <span className="mb-2.5 flex items-center gap-1.5 text-sm sm:gap-2 sm:text-base">
              <input
                type="radio"
                name="cover-style"
                className="tick rounded-full"
                checked={document.looks.cover_style === style}
                onChange={() => change((draft) => void (draft.looks.cover_style = style))}
              />
              {titles[style]}
            </span>
            <DrawnCover cover={drawCover(document, style)} className="rounded-sm shadow-md" />
          </label>
        ))}
      </div>
      <p className="mt-2 text-sm text-soft">
        Drawn from title, subtitle, author and the colors below. It is also the icon of your site.
      </p>
    </fieldset>
  )
}
