import { hasDefaultColors } from '#contract/book/looks.ts'
import { Accent } from './accent.tsx'
import { CoverStyles } from './cover-styles.tsx'
import type { PartProps } from './draft-fields.tsx'
import { Palettes } from './palettes.tsx'
import { PictureField } from './picture-field.tsx'

export function LooksPart(given: PartProps) {
  const { document, change, problems } = given
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
      {!cover && <CoverStyles {...given} />}
      <Palettes {...given} />
      <Accent {...given} />
    </>
  )
}
