// Parts of the book's form that have more than fields, and the order of the sections.
import { permanentSections, type SectionName } from '#contract/book/book.ts'
import { partNames } from './changes.ts'
import { MoveTools, PictureField, Tick } from './draft-fields.tsx'
import { Fields, type PartProps } from './schema-fields.tsx'

const names: Record<SectionName, string> = {
  ...partNames,
  invitation: 'The invitation',
  purchase: 'Products',
}

export function SectionsPart({ document: { sections }, change }: PartProps) {
  return (
    <>
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
      <Fields paths={['refund_days']} {...props} />
      <Tick
        label="Show a rating"
        isTicked={rating !== null}
        onChange={(isTicked) =>
          props.change((draft) => void (draft.rating = isTicked ? { stars: 5, source: '' } : null))
        }
      />
      {rating && (
        <div className="grid gap-5 sm:grid-cols-[9rem_1fr]">
          <Fields paths={['rating']} {...props} />
        </div>
      )}
      <Fields paths={['claims']} {...props} />
    </>
  )
}

export function AuthorPart(props: PartProps) {
  const { document, change, problems } = props
  return (
    <>
      <Fields paths={['author.name', 'author.email']} {...props} />
      <PictureField
        name="portrait"
        hint="Shown beside the biography."
        picture={document.author.portrait}
        problem={problems['author.portrait.alt']}
        change={(edit) => change((draft) => void (draft.author.portrait = edit(draft.author.portrait)))}
      />
      <Fields paths={['author.biography', 'invitation']} {...props} />
    </>
  )
}
