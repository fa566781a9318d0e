import { findAccentFault } from '#features/book/contract/looks.ts'
import { paletteNames, palettes, type PaletteName } from '#features/book/contract/palettes.ts'
import { Button } from '../../../components/button.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { Tick, type PartProps } from './draft-fields.tsx'
import { PictureField } from './picture-field.tsx'

const paletteTitles: Record<PaletteName, string> = {
  parchment: 'Parchment',
  linen: 'Linen',
  sage: 'Sage',
  harbor: 'Harbor',
  rose: 'Rose',
  ink: 'Ink',
}

export function LooksPart(given: PartProps) {
  const { document, change, problems } = given
  const { cover, looks } = document
  return (
    <>
      <PictureField
        name="cover"
        hint="Without one, a cover with the title is drawn."
        picture={cover}
        problem={problems['cover.alt']}
        change={(edit) => change((draft) => void (draft.cover = edit(draft.cover)))}
      />
      <fieldset>
        <legend className="font-semibold">Colors of the page</legend>
        <div className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3">
          {paletteNames.map((name) => (
            <PaletteChoice
              key={name}
              name={name}
              isChosen={looks.palette === name}
              onChoose={() => change((draft) => void (draft.looks.palette = name))}
            />
          ))}
        </div>
        <p className="mt-2 text-sm text-soft">
          Each has colors for light and for dark screens. The preview shows those of yours.
        </p>
      </fieldset>
      <Accent {...given} />
    </>
  )
}

type PaletteChoiceProps = { name: PaletteName; isChosen: boolean; onChoose: () => void }

function PaletteChoice({ name, isChosen, onChoose }: PaletteChoiceProps) {
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
        {paletteTitles[name]}
        <Swatches name={name} />
      </span>
    </label>
  )
}

/** Light above, dark below. */
function Swatches({ name }: { name: PaletteName }) {
  const { page, ink, gold, night } = palettes[name]
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

function Accent({ document: { looks }, change, problems }: PartProps) {
  const { palette, accent } = looks
  const set = (color: string | null) => change((draft) => void (draft.looks.accent = color))
  const fault = findAccentFault(looks)
  return (
    <div className="grid gap-4">
      <Tick
        label="Custom accent color"
        isTicked={accent !== null}
        onChange={(isTicked) => set(isTicked ? palettes[palette].gold_text[0] : null)}
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
