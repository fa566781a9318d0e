import { permanentSections, type SectionName } from '#contract/book/book.ts'
import { Line, Lines, Tick, type PartProps } from './draft-fields.tsx'
import { MoveTools } from './tool.tsx'

const names: Record<SectionName, string> = {
  blueprint: 'Blueprint',
  preview: 'Preview',
  words: 'Chapters',
  invitation: 'The invitation',
  text: 'Your own text',
  quotes: 'Quotations',
  questions: 'Questions and answers',
  purchase: 'Products',
  contact: 'Contact',
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

export function SlipPart({ field }: PartProps) {
  return (
    <>
      <Lines label="Thanks" {...field('packing_slip.thanks')} />
      <Line label="What to do when something is not right" {...field('packing_slip.questions')} />
    </>
  )
}
