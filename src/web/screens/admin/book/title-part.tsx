import { fullTitle, productPlaceholder } from '#contract/book/book.ts'
import { formatsTexts } from '#words/formats.ts'
import { Line, Lines, type PartProps } from './draft-fields.tsx'

const isbnFormats = ['digital', 'paperback', 'hardcover'] as const

export function TitlePart({ document, field }: PartProps) {
  const { title, product } = document
  return (
    <>
      <Line
        label="Title"
        {...(title.includes(productPlaceholder) && {
          hint: `Shown as “${fullTitle(document)}”. ${productPlaceholder} stands for the name below.`,
        })}
        {...field('title')}
      />
      {(title.includes(productPlaceholder) || product) && (
        <Line label={`Name for ${productPlaceholder}`} {...field('product')} />
      )}
      <Line
        label="Subtitle"
        hint="Beneath the title, for search engines, and on a drawn cover."
        {...field('subtitle')}
      />
      <Lines
        label="Description"
        hint="Beneath the subtitle, and what search engines and shared links show."
        {...field('description')}
      />
      <Line label="Language" hint="A language tag: en, es, pt-BR, el ..." {...field('language')} />
      <fieldset className="grid gap-5">
        <legend className="mb-2 font-semibold">ISBN</legend>
        {isbnFormats.map((format) => (
          <Line key={format} label={formatsTexts.names[format]} {...field(`isbns.${format}`)} />
        ))}
      </fieldset>
    </>
  )
}
