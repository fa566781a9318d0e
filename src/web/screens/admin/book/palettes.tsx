import { useState } from 'react'
import { coverPalette } from '#contract/book/cover-palette.ts'
import { paletteNames, palettes, type Palette, type PaletteName } from '#contract/book/palettes.ts'
import { Button } from '../../../components/button.tsx'
import { failure } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { readPictureColors, type Change } from './use-draft.ts'
import type { PartProps } from './draft-fields.tsx'

const titles: Record<PaletteName, string> = {
  parchment: 'Parchment',
  linen: 'Linen',
  sage: 'Sage',
  harbor: 'Harbor',
  rose: 'Rose',
  ink: 'Ink',
}

export function Palettes({ document: { cover, looks }, change }: PartProps) {
  const ofCover = cover && looks.cover_colors
  const usesCover = ofCover !== null && looks.uses_cover_colors
  return (
    <fieldset>
      <legend className="font-semibold">Colors of the page</legend>
      <div className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3">
        {ofCover && (
          <Choice
            title="Cover"
            palette={coverPalette(ofCover)}
            isChosen={usesCover}
            onChoose={() => change((draft) => void (draft.looks.uses_cover_colors = true))}
          />
        )}
        {paletteNames.map((name) => (
          <Choice
            key={name}
            title={titles[name]}
            palette={palettes[name]}
            isChosen={!usesCover && looks.palette === name}
            onChoose={() =>
              change((draft) => {
                draft.looks.palette = name
                draft.looks.uses_cover_colors = false
              })
            }
          />
        ))}
      </div>
      {cover && !ofCover && <FromCover id={cover.id} change={change} />}
      <p className="mt-2 text-sm text-pretty text-soft">
        Each has colors for light and for dark screens, in which all text can be read. The admin area keeps
        its own.
      </p>
    </fieldset>
  )
}

/** For a cover from before the shop read the colors of its pictures. */
function FromCover({ id, change }: { id: string; change: Change }) {
  const [isBusy, setIsBusy] = useState(false)
  async function read() {
    setIsBusy(true)
    try {
      const colors = await readPictureColors(id)
      change(({ looks }) => {
        looks.cover_colors = colors
        looks.uses_cover_colors = true
      })
    } catch (error) {
      toast(failure('Couldn’t read the colors', error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button look="outline" className="mt-3" disabled={isBusy} onClick={() => void read()}>
      {isBusy ? 'Reading the cover...' : 'Make colors from the cover'}
    </Button>
  )
}

type ChoiceProps = { title: string; palette: Palette; isChosen: boolean; onChoose: () => void }

function Choice({ title, palette, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="relative flex cursor-pointer items-center gap-3 rounded-md border border-edge p-3 has-checked:border-ink has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus">
      <input
        type="radio"
        name="palette"
        className="tick rounded-full"
        checked={isChosen}
        onChange={onChoose}
      />
      <span>
        {title}
        <Swatches palette={palette} />
      </span>
    </label>
  )
}

/** Light above, dark below. */
function Swatches({ palette: { page, ink, gold, night } }: { palette: Palette }) {
  const columns = Object.entries({ page, night, gold, ink })
  return (
    <svg viewBox="0 0 72 36" className="mt-1.5 block h-9 w-18 rounded-sm border border-line" aria-hidden>
      {columns.map(([of, [light, dark]], at) => (
        <g key={of} transform={`translate(${at * 18})`}>
          <path d="M0 0h18v18H0z" fill={light} />
          <path d="M0 18h18v18H0z" fill={dark} />
        </g>
      ))}
    </svg>
  )
}
