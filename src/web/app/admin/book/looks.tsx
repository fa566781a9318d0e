// The looks, and the parts of the book's form that have more than fields, with the order of the sections.
import { coverPalette } from '#contract/book/cover-palette.ts'
import { paletteNames, palettes, type Palette } from '#contract/book/palettes.ts'
import { findAccentFault, paletteOf, hasDefaultColors } from '#contract/book/looks.ts'
import { Button } from '../../../components/button.tsx'
import { partNames } from './draft.ts'
import { Tick, MoveTools } from './draft-fields.tsx'
import { PictureField } from './picture-field.tsx'
import { DraftFields, type PartProps } from './draft-inputs.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { drawCover } from '#contract/book/drawn-cover.ts'
import { DrawnCover } from '../../../product/cover.tsx'
import { type BookDocument, permanentSections, type SectionName, sectionNames } from '#contract/book/book.ts'

const paletteTitles = {
  parchment: 'Parchment',
  linen: 'Linen',
  sage: 'Sage',
  harbor: 'Harbor',
  rose: 'Rose',
  ink: 'Ink',
}

function Palettes({ document: { cover, looks }, change }: PartProps) {
  const ofCover = cover && looks.cover_colors
  const usesCover = ofCover !== null && looks.uses_cover_colors
  return (
    <fieldset>
      <legend className="font-semibold">Colors of the page</legend>
      <div className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3">
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
            title={paletteTitles[name]}
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
      <p className="mt-2 text-sm text-pretty text-soft">
        Each has colors for light and for dark screens, in which all text can be read. The admin area keeps
        its own.
      </p>
    </fieldset>
  )
}

type ChoiceProps = { title: string; palette: Palette; isChosen: boolean; onChoose: () => void }

function Choice({ title, palette, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="relative grid min-w-0 cursor-pointer gap-2.5 rounded-md border border-edge p-3 has-checked:border-ink has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus">
      <span className="flex items-center gap-2 text-sm">
        <input
          type="radio"
          name="palette"
          className="tick rounded-full"
          checked={isChosen}
          onChange={onChoose}
        />
        {title}
      </span>
      <Swatches palette={palette} />
    </label>
  )
}

/** Light above, dark below. */
function Swatches({ palette: { page, ink, gold, night } }: { palette: Palette }) {
  const columns = Object.entries({ page, night, gold, ink })
  return (
    <svg
      viewBox="0 0 72 36"
      preserveAspectRatio="none"
      className="block h-9 w-full rounded-sm border border-line"
      aria-hidden
    >
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

/** The preview shows the title and the author as they are typed. */
function CoverPreview({ document }: Pick<PartProps, 'document'>) {
  return (
    <figure>
      <DrawnCover
        cover={drawCover(document)}
        className="w-40 rounded-sm shadow-md outline outline-cover-edge"
      />
      <figcaption className="mt-2 text-sm text-soft">
        Drawn from title, subtitle, author and the colors below. It is also the icon of your site.
      </figcaption>
    </figure>
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
      {!cover && <CoverPreview document={document} />}
      <Palettes {...partProps} />
      <Accent {...partProps} />
    </>
  )
}

const names: Record<SectionName, string> = {
  ...partNames,
  author: 'About the author',
  invitation: 'The invitation',
  purchase: 'Products',
}

/** Returns the order of a new page, which shows the author in a section. */
function newOrder(sections: BookDocument['sections']): BookDocument['sections'] {
  return sectionNames.map((name) => ({
    name,
    is_shown: name === 'author' || sections.some((each) => each.name === name && each.is_shown),
  }))
}

export function SectionsPart({ document, change }: PartProps) {
  const { sections } = document
  const isNew = sections.every(({ name }, at) => name === sectionNames[at])
  return (
    <>
      {!isNew && (
        <div>
          <Button
            look="outline"
            onClick={() => change((draft) => void (draft.sections = newOrder(draft.sections)))}
          >
            Use the new order
          </Button>
          <p className="mt-2 text-sm text-pretty text-soft">
            As new pages have it: preview, contents and quotations first, the author before the prices,
            questions after them.
          </p>
        </div>
      )}
      <p className="text-sm text-soft">A section that is empty is not shown, whether it is ticked or not.</p>
      <ol className="grid gap-1">
        {sections.map(({ name, is_shown }, index) => (
          <li key={name} className="flex min-h-11 items-center justify-between gap-3">
            {permanentSections.includes(name) ? (
              <span className="pl-8 text-soft">{names[name]}</span>
            ) : (
              <Tick
                label={names[name]}
                isTicked={is_shown}
                onChange={(isTicked) =>
                  change((draft) => void (draft.sections[index] = { name, is_shown: isTicked }))
                }
              />
            )}
            <span className="flex gap-1">
              <MoveTools
                name={names[name]}
                items={sections}
                index={index}
                onChange={(moved) => change((draft) => void (draft.sections = moved))}
              />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

export function PromisesPart(props: PartProps) {
  const { rating } = props.document
  return (
    <>
      <DraftFields paths={['refund_days']} {...props} />
      <Tick
        label="Show a rating"
        isTicked={rating !== null}
        onChange={(isTicked) =>
          props.change((draft) => void (draft.rating = isTicked ? { stars: 5, source: '' } : null))
        }
      />
      {rating && (
        <div className="grid gap-5 sm:grid-cols-[9rem_1fr]">
          <DraftFields paths={['rating']} {...props} />
        </div>
      )}
      <DraftFields paths={['claims']} {...props} />
    </>
  )
}

export function AuthorPart(props: PartProps) {
  const { document, change, problems } = props
  return (
    <>
      <DraftFields paths={['author.name', 'author.email']} {...props} />
      <PictureField
        name="portrait"
        hint="Shown beside the biography."
        picture={document.author.portrait}
        problem={problems['author.portrait.alt']}
        change={(edit) => change((draft) => void (draft.author.portrait = edit(draft.author.portrait)))}
      />
      <DraftFields paths={['author.biography', 'invitation']} {...props} />
    </>
  )
}
