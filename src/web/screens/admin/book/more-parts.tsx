import { Line, Lines, type PartProps } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { SpeakingFields } from './speaking-fields.tsx'

const [maxQuestions, maxQuotes] = [30, 12]

export function QuestionsPart({ document: { questions }, change, problems }: PartProps) {
  const add = () => change((draft) => void draft.questions.push({ question: '', answer: '' }))
  return (
    <ListEditor
      items={questions}
      noun="question"
      onAdd={questions.length < maxQuestions ? add : undefined}
      onChange={(items) => change((draft) => void (draft.questions = items))}
    >
      {(each, index) => (
        <>
          <Line
            label="Question"
            problem={problems[`questions.${index}.question`]}
            value={each.question}
            onChange={(value) =>
              change((draft) => void (draft.questions[index] = { ...each, question: value }))
            }
          />
          <MarkdownField
            label="Answer"
            problem={problems[`questions.${index}.answer`]}
            value={each.answer}
            onChange={(value) =>
              change((draft) => void (draft.questions[index] = { ...each, answer: value }))
            }
          />
        </>
      )}
    </ListEditor>
  )
}

export function QuotesPart({ document: { quotes }, change, problems }: PartProps) {
  const add = () => change((draft) => void draft.quotes.push({ text: '', by: '', permission: '' }))
  return (
    <ListEditor
      items={quotes}
      noun="quotation"
      onAdd={quotes.length < maxQuotes ? add : undefined}
      onChange={(items) => change((draft) => void (draft.quotes = items))}
    >
      {(quote, index) => (
        <>
          <Lines
            label="Quotation"
            problem={problems[`quotes.${index}.text`]}
            value={quote.text}
            onChange={(value) => change((draft) => void (draft.quotes[index] = { ...quote, text: value }))}
          />
          <Line
            label="By"
            problem={problems[`quotes.${index}.by`]}
            value={quote.by}
            onChange={(value) => change((draft) => void (draft.quotes[index] = { ...quote, by: value }))}
          />
          <Line
            label="Permission"
            hint="Who allowed you to print it, and when. Only you see this."
            problem={problems[`quotes.${index}.permission`]}
            value={quote.permission}
            onChange={(value) =>
              change((draft) => void (draft.quotes[index] = { ...quote, permission: value }))
            }
          />
        </>
      )}
    </ListEditor>
  )
}

export function TextPart({ document: { text }, change, problems }: PartProps) {
  return (
    <>
      <Line
        label="Title"
        problem={problems['text.title']}
        value={text.title}
        onChange={(value) => change((draft) => void (draft.text.title = value))}
      />
      <MarkdownField
        label="Text"
        rows={10}
        problem={problems['text.text']}
        value={text.text}
        onChange={(value) => change((draft) => void (draft.text.text = value))}
      />
    </>
  )
}

export function ContactPart({ document: { contact, closing }, change, problems }: PartProps) {
  const { direct, speaking } = contact
  return (
    <>
      <Line
        label="Lead"
        problem={problems['contact.lead']}
        value={contact.lead}
        onChange={(value) => change((draft) => void (draft.contact.lead = value))}
      />
      <Line
        label="Title of the first card"
        problem={problems['contact.direct.title']}
        value={direct.title}
        onChange={(value) => change((draft) => void (draft.contact.direct.title = value))}
      />
      <Lines
        label="Text of the first card"
        problem={problems['contact.direct.line']}
        value={direct.line}
        onChange={(value) => change((draft) => void (draft.contact.direct.line = value))}
      />
      <SpeakingFields speaking={speaking} change={change} problems={problems} />
      <Line
        label="Last title of the page"
        problem={problems['closing.title']}
        value={closing.title}
        onChange={(value) => change((draft) => void (draft.closing.title = value))}
      />
      <Line
        label="Last line of the page"
        problem={problems['closing.line']}
        value={closing.line}
        onChange={(value) => change((draft) => void (draft.closing.line = value))}
      />
    </>
  )
}
