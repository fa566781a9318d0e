import { maxWords } from '#contract/book/book.ts'
import { Line, Lines, NumberLine, Tick, type PartProps } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'

const [maxTaken, maxParts] = [12, 12]

export function WordsPart({
  document: { words, words_have_own_numbers: has_own },
  change,
  problems,
  field,
}: PartProps) {
  return (
    <>
      <Line
        label="Title of the section"
        hint="An empty one is “In this book”, in the language of the book."
        {...field('words_title')}
      />
      {problems['words'] && <p className="text-sm text-danger">{problems['words']}</p>}
      <ListEditor
        items={words}
        noun="chapter"
        max={maxWords}
        blank={{ word: '', line: '' }}
        onChange={(items) => change((draft) => void (draft.words = items))}
      >
        {(word, index) => (
          <>
            <Line label={has_own ? 'Title' : 'Chapter'} {...field(`words.${index}.word`)} />
            <Line label="What it is about" {...field(`words.${index}.line`)} />
            {has_own && (
              <Tick
                label="The title of a part, above its chapters"
                isTicked={word.is_part === true}
                onChange={(is_part) => change((draft) => void (draft.words[index] = { ...word, is_part }))}
              />
            )}
          </>
        )}
      </ListEditor>
      <Tick
        label="Chapters carry their own numbers, or none"
        isTicked={has_own}
        onChange={(isTicked) => change((draft) => void (draft.words_have_own_numbers = isTicked))}
      />
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
        The parts hold {taken} of the {words.length} chapters, in their order.
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
            <Line label="What it is about" {...field(`blueprint.parts.${index}.line`)} />
            <NumberLine
              label="Number of chapters"
              problem={problems[`blueprint.parts.${index}.takes`]}
              value={part.takes}
              min={0}
              max={maxTaken}
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
