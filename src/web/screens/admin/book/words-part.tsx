import { Line, Lines, NumberLine, type PartProps } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'

const [maxWords, maxParts] = [12, 12]

export function WordsPart({ document: { words }, change, problems, field }: PartProps) {
  return (
    <>
      <Line label="Title of the section" {...field('words_title')} />
      {problems['words'] && <p className="text-sm text-danger">{problems['words']}</p>}
      <ListEditor
        items={words}
        noun="word"
        max={maxWords}
        blank={{ word: '', line: '' }}
        onChange={(items) => change((draft) => void (draft.words = items))}
      >
        {(_word, index) => (
          <>
            <Line label="Word" {...field(`words.${index}.word`)} />
            <Line label="Line" {...field(`words.${index}.line`)} />
          </>
        )}
      </ListEditor>
    </>
  )
}

export function BlueprintPart({ document: { blueprint, words }, change, problems, field }: PartProps) {
  const { parts } = blueprint
  const taken = parts.reduce((sum, { takes }) => sum + takes, 0)
  return (
    <>
      <Line label="Title" {...field('blueprint.title')} />
      <Lines label="Opening" {...field('blueprint.lead')} />
      <Lines label="Text" {...field('blueprint.text')} />
      <p className="text-sm text-soft">
        The parts take {taken} of the {words.length} words, in their order.
      </p>
      <ListEditor
        items={parts}
        noun="part"
        max={maxParts}
        blank={{ takes: 1, title: '', line: '' }}
        onChange={(items) => change((draft) => void (draft.blueprint.parts = items))}
      >
        {(part, index) => (
          <>
            <Line label="Title" {...field(`blueprint.parts.${index}.title`)} />
            <Line label="Line" {...field(`blueprint.parts.${index}.line`)} />
            <NumberLine
              label="Number of words"
              problem={problems[`blueprint.parts.${index}.takes`]}
              value={part.takes}
              min={0}
              max={maxWords}
              onChange={(value) =>
                change((draft) => void (draft.blueprint.parts[index] = { ...part, takes: value }))
              }
            />
          </>
        )}
      </ListEditor>
    </>
  )
}
