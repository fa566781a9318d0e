import { Line, Lines, Tick, type PartProps } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'
import { MarkdownField } from './markdown-field.tsx'

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

export function ContactPart(given: PartProps) {
  const { field } = given
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
      <SpeakingFields {...given} />
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
