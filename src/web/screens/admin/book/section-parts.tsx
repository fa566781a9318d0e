import {
  permanentSections,
  type SectionName,
  daysPlaceholder,
  type BookDocument,
} from '#contract/book/book.ts'
import {
  Line,
  Lines,
  Tick,
  type PartProps,
  MoveTools,
  NumberLine,
  ListEditor,
  MarkdownField,
} from './draft-fields.tsx'

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

const claims: { name: keyof BookDocument['claims']; label: string }[] = [
  { name: 'refund', label: `Refund (${daysPlaceholder} stands for the number of days)` },
  { name: 'ships', label: 'While shipping is free' },
  { name: 'pdf', label: 'While every digital product has a PDF' },
  { name: 'no_pdf', label: 'While some digital product has no PDF' },
  { name: 'digital', label: 'While something digital is for sale' },
  { name: 'bonus', label: 'While the bundle has a bonus' },
]

export function PromisesPart({ document, change, problems, field }: PartProps) {
  const { refund_days, rating } = document
  return (
    <>
      <NumberLine
        label="Refund period in days"
        hint="For the page, the buyer’s button, the rule behind it and the emails. 0 promises no refund. Purchases keep the period that they were made with."
        problem={problems['refund_days']}
        value={refund_days}
        min={0}
        max={365}
        onChange={(value) => change((draft) => void (draft.refund_days = value))}
      />
      <Tick
        label="Show a rating"
        isTicked={rating !== null}
        onChange={(isTicked) =>
          change((draft) => void (draft.rating = isTicked ? { stars: 5, source: '' } : null))
        }
      />
      {rating && (
        <div className="grid gap-5 sm:grid-cols-[9rem_1fr]">
          <NumberLine
            label="Stars of 5"
            problem={problems['rating.stars']}
            value={rating.stars}
            min={1}
            max={5}
            step={0.1}
            onChange={(value) => change((draft) => void (draft.rating = { ...rating, stars: value }))}
          />
          <Line
            label="Source"
            hint="Where readers gave it, as in “212 ratings on Goodreads”. A rating without a source is not published."
            {...field('rating.source')}
          />
        </div>
      )}
      <fieldset className="grid gap-5">
        <legend className="mb-2 font-semibold">Lines under the products</legend>
        <p className="text-sm text-soft">Each is shown only while it is true. An empty one is not shown.</p>
        {claims.map(({ name, label }) => (
          <Line key={name} label={label} {...field(`claims.${name}`)} />
        ))}
      </fieldset>
    </>
  )
}

const [maxQuestions, maxQuotes] = [30, 12]

export function QuestionsPart({ document: { questions }, change, field }: PartProps) {
  return (
    <ListEditor
      items={questions}
      noun="question"
      max={maxQuestions}
      blank={{ question: '', answer: '' }}
      onChange={(items) => change((draft) => void (draft.questions = items))}
    >
      {(_question, index) => (
        <>
          <Line label="Question" {...field(`questions.${index}.question`)} />
          <MarkdownField label="Answer" {...field(`questions.${index}.answer`)} />
        </>
      )}
    </ListEditor>
  )
}

export function QuotesPart({ document: { quotes }, change, field }: PartProps) {
  return (
    <ListEditor
      items={quotes}
      noun="quotation"
      max={maxQuotes}
      blank={{ text: '', by: '', permission: '' }}
      onChange={(items) => change((draft) => void (draft.quotes = items))}
    >
      {(_quote, index) => (
        <>
          <Lines label="Quotation" {...field(`quotes.${index}.text`)} />
          <Line label="By" {...field(`quotes.${index}.by`)} />
          <Line
            label="Permission"
            hint="Who allowed you to print it, and when. Only you see this."
            {...field(`quotes.${index}.permission`)}
          />
        </>
      )}
    </ListEditor>
  )
}

export function TextPart({ field }: PartProps) {
  return (
    <>
      <Line label="Title" {...field('text.title')} />
      <MarkdownField label="Text" rows={10} {...field('text.text')} />
    </>
  )
}

export function ContactPart(partProps: PartProps) {
  const { field } = partProps
  return (
    <>
      <Line label="Lead" {...field('contact.lead')} />
      <Line label="Title of the first card" {...field('contact.direct.title')} />
      <Lines label="Text of the first card" {...field('contact.direct.line')} />
      <Line
        label="Time in which you reply"
        hint="Promised to those who write to you. Leave empty to promise none."
        {...field('contact.reply_time')}
      />
      <SpeakingFields {...partProps} />
      <Line label="Last title of the page" {...field('closing.title')} />
      <Line label="Last line of the page" {...field('closing.line')} />
    </>
  )
}

function SpeakingFields({ document, change, field }: PartProps) {
  const { speaking } = document.contact
  return (
    <>
      <Tick
        label="Show the card that invites you to speak"
        isTicked={speaking.is_shown}
        onChange={(isTicked) => change((draft) => void (draft.contact.speaking.is_shown = isTicked))}
      />
      {speaking.is_shown && (
        <>
          <Line label="Title of the second card" {...field('contact.speaking.title')} />
          <Lines label="Text of the second card" {...field('contact.speaking.line')} />
          <Line label="Subject of such an email" {...field('contact.speaking.subject')} />
        </>
      )}
    </>
  )
}
