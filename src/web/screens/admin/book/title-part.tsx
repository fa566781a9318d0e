import { fullTitle, productPlaceholder } from '#features/book/contract/book.ts'
import { Line, Lines, type PartProps } from './draft-fields.tsx'

const isbnNames = { digital: 'Digital', paperback: 'Paperback', hardcover: 'Hardcover' } as const
const isbnFormats = ['digital', 'paperback', 'hardcover'] as const

export function TitlePart({ document, change, problems }: PartProps) {
  const { title, product, subtitle, description, language, isbns } = document
  return (
    <>
      <Line
        label="Title"
        hint={
          title.includes(productPlaceholder)
            ? `Shown as “${fullTitle(document)}”. ${productPlaceholder} stands for the name below.`
            : `Write ${productPlaceholder} where a name is to be set large, as in “${productPlaceholder} that Change Everything”.`
        }
        problem={problems['title']}
        value={title}
        onChange={(value) => change((draft) => void (draft.title = value))}
      />
      {(title.includes(productPlaceholder) || product) && (
        <Line
          label={`Name for ${productPlaceholder}`}
          problem={problems['product']}
          value={product}
          onChange={(value) => change((draft) => void (draft.product = value))}
        />
      )}
      <Line
        label="Subtitle"
        hint="For search engines, and on a drawn cover."
        problem={problems['subtitle']}
        value={subtitle}
        onChange={(value) => change((draft) => void (draft.subtitle = value))}
      />
      <Lines
        label="Description"
        hint="Beneath the title, and what search engines and shared links show."
        problem={problems['description']}
        value={description}
        onChange={(value) => change((draft) => void (draft.description = value))}
      />
      <Line
        label="Language"
        hint="A language tag: en, es, pt-BR, el ..."
        problem={problems['language']}
        value={language}
        onChange={(value) => change((draft) => void (draft.language = value))}
      />
      <fieldset className="grid gap-5">
        <legend className="mb-2 font-semibold">ISBN</legend>
        {isbnFormats.map((format) => (
          <Line
            key={format}
            label={isbnNames[format]}
            problem={problems[`isbns.${format}`]}
            value={isbns[format]}
            onChange={(value) => change((draft) => void (draft.isbns[format] = value))}
          />
        ))}
      </fieldset>
    </>
  )
}
