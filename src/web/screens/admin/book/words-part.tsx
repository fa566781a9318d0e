import { Line, Lines, NumberLine, type PartProps } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'

const [maxWords, maxParts] = [12, 12]

export function WordsPart({ document: { words, words_title }, change, problems }: PartProps) {
  const add = () => change((draft) => void draft.words.push({ word: '', line: '' }))
  return (
    <>
      <Line
        label="Title of the section"
        problem={problems['words_title']}
        value={words_title}
        onChange={(value) => change((draft) => void (draft.words_title = value))}
      />
      {problems['words'] && <p className="text-sm text-danger">{problems['words']}</p>}
      <ListEditor
        items={words}
        noun="word"
        onAdd={words.length < maxWords ? add : undefined}
        onChange={(items) => change((draft) => void (draft.words = items))}
      >
        {(word, index) => (
          <>
            <Line
              label="Word"
              problem={problems[`words.${index}.word`]}
              value={word.word}
              onChange={(value) => change(({ words: list }) => void (list[index] = { ...word, word: value }))}
            />
            <Line
              label="Line"
              problem={problems[`words.${index}.line`]}
              value={word.line}
              onChange={(value) => change(({ words: list }) => void (list[index] = { ...word, line: value }))}
            />
          </>
        )}
      </ListEditor>
    </>
  )
}

export function BlueprintPart({ document: { blueprint, words }, change, problems }: PartProps) {
  const { title, lead, text, parts } = blueprint
  const taken = parts.reduce((sum, { takes }) => sum + takes, 0)
  const add = () => change((draft) => void draft.blueprint.parts.push({ takes: 1, title: '', line: '' }))
  return (
    <>
      <Line
        label="Title"
        problem={problems['blueprint.title']}
        value={title}
        onChange={(value) => change((draft) => void (draft.blueprint.title = value))}
      />
      <Lines
        label="Opening"
        problem={problems['blueprint.lead']}
        value={lead}
        onChange={(value) => change((draft) => void (draft.blueprint.lead = value))}
      />
      <Lines
        label="Text"
        problem={problems['blueprint.text']}
        value={text}
        onChange={(value) => change((draft) => void (draft.blueprint.text = value))}
      />
      <p className="text-sm text-soft">
        The parts take {taken} of the {words.length} words, in their order.
      </p>
      <ListEditor
        items={parts}
        noun="part"
        onAdd={parts.length < maxParts ? add : undefined}
        onChange={(items) => change((draft) => void (draft.blueprint.parts = items))}
      >
        {(part, index) => (
          <>
            <Line
              label="Title"
              problem={problems[`blueprint.parts.${index}.title`]}
              value={part.title}
              onChange={(value) =>
                change((draft) => void (draft.blueprint.parts[index] = { ...part, title: value }))
              }
            />
            <Line
              label="Line"
              problem={problems[`blueprint.parts.${index}.line`]}
              value={part.line}
              onChange={(value) =>
                change((draft) => void (draft.blueprint.parts[index] = { ...part, line: value }))
              }
            />
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
