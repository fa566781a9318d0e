import { findAccentFault, paletteOf, hasDefaultColors } from '#contract/book/looks.ts'
import { Button } from '../../../components/button.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { Tick, type PartProps, PictureField } from './draft-fields.tsx'
import { coverStyles, type CoverStyle } from '#contract/book/cover-styles.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import { DrawnCover } from '../../../cover.tsx'
import { Palettes } from './palettes.tsx'

function Accent({ document: { looks }, change, problems }: PartProps) {
  const { accent } = looks
  const set = (color: string | null) => change((draft) => void (draft.looks.accent = color))
  const fault = findAccentFault(looks)
  return (
    <div className="grid gap-4">
      <Tick
        label="Custom accent color"
        isTicked={accent !== null}
        onChange={(isTicked) => set(isTicked ? paletteOf(looks).gold_text[0] : null)}
      />
      {accent !== null && (
        <FieldFrame
          label="Accent"
          hint="For ornaments, links and marks, also in emails. On dark screens it is lightened."
          problem={fault?.says ?? problems['looks.accent']}
        >
          {(wired) => (
            <span className="mt-1.5 flex items-center gap-3">
              <input
                {...wired}
                type="color"
                className="h-11 w-20 cursor-pointer rounded-md border border-edge bg-surface p-1"
                value={accent}
                onChange={({ currentTarget }) => set(currentTarget.value)}
              />
              <code>{accent}</code>
              {fault && (
                <Button look="outline" onClick={() => set(fault.readable)}>
                  Use {fault.readable}
                </Button>
              )}
            </span>
          )}
        </FieldFrame>
      )}
    </div>
  )
}

const titles: Record<CoverStyle, string> = { arches: 'Arches', frame: 'Frame', horizon: 'Horizon' }

/** With the title and the author as they are typed. */
function CoverStyles({ document, change }: PartProps) {
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

export function LooksPart(partProps: PartProps) {
  const { document, change, problems } = partProps
  const { cover } = document
  return (
    <>
      <PictureField
        name="cover"
        hint="Without one, a cover with the title is drawn."
        picture={cover}
        problem={problems['cover.alt']}
        change={(edit, colors) =>
          change((draft) => {
            const { looks } = draft
            draft.cover = edit(draft.cover)
            if (colors === undefined) return
            // Colors that the author has chosen stay.
            if (colors && !looks.cover_colors && hasDefaultColors(looks)) looks.uses_cover_colors = true
            looks.cover_colors = colors
          })
        }
      />
      {!cover && <CoverStyles {...partProps} />}
      <Palettes {...partProps} />
      <Accent {...partProps} />
    </>
  )
}
