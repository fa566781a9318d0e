import { Line, Lines, Tick, type PartProps } from './draft-fields.tsx'

type SpeakingFieldsProps = Omit<PartProps, 'document'> & {
  speaking: PartProps['document']['contact']['speaking']
}

export function SpeakingFields({ speaking, change, problems }: SpeakingFieldsProps) {
  return (
    <>
      <Tick
        label="Show the card that invites you to speak"
        isTicked={speaking.is_shown}
        onChange={(isTicked) => change((draft) => void (draft.contact.speaking.is_shown = isTicked))}
      />
      {speaking.is_shown && (
        <>
          <Line
            label="Title of the second card"
            problem={problems['contact.speaking.title']}
            value={speaking.title}
            onChange={(value) => change((draft) => void (draft.contact.speaking.title = value))}
          />
          <Lines
            label="Text of the second card"
            problem={problems['contact.speaking.line']}
            value={speaking.line}
            onChange={(value) => change((draft) => void (draft.contact.speaking.line = value))}
          />
          <Line
            label="Subject of such an email"
            problem={problems['contact.speaking.subject']}
            value={speaking.subject}
            onChange={(value) => change((draft) => void (draft.contact.speaking.subject = value))}
          />
        </>
      )}
    </>
  )
}
