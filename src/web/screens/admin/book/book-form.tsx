import type { ComponentType } from 'react'
import { AuthorPart } from './author-part.tsx'
import type { PartProps } from './draft-fields.tsx'
import { draftFields } from './draft-field.ts'
import { Group } from './group.tsx'
import { LegalPart } from './legal-part.tsx'
import { ContactPart, QuestionsPart, QuotesPart, TextPart } from './more-parts.tsx'
import { LooksPart } from './looks-part.tsx'
import { PreviewPart } from './preview-part.tsx'
import { PromisesPart } from './promises-part.tsx'
import { SectionsPart, SlipPart } from './sections-part.tsx'
import { TitlePart } from './title-part.tsx'
import { BlueprintPart, WordsPart } from './words-part.tsx'

type Part = {
  title: string
  Part: ComponentType<PartProps>
  fields: string[]
  section?: string
}

const parts: Part[] = [
  {
    title: 'Title and description',
    Part: TitlePart,
    fields: ['title', 'product', 'subtitle', 'description', 'language', 'isbns'],
    section: 'title',
  },
  { title: 'Cover and colors', Part: LooksPart, fields: ['cover', 'looks'], section: 'title' },
  {
    title: 'Author and invitation',
    Part: AuthorPart,
    fields: ['author', 'invitation'],
    section: 'invitation',
  },
  { title: 'Blueprint', Part: BlueprintPart, fields: ['blueprint'], section: 'blueprint' },
  { title: 'Preview', Part: PreviewPart, fields: ['preview'], section: 'preview' },
  { title: 'Words', Part: WordsPart, fields: ['words', 'words_title'], section: 'words' },
  {
    title: 'Promises and rating',
    Part: PromisesPart,
    fields: ['refund_days', 'rating', 'claims'],
    section: 'book-sales',
  },
  { title: 'Questions and answers', Part: QuestionsPart, fields: ['questions'], section: 'questions' },
  { title: 'Quotations', Part: QuotesPart, fields: ['quotes'], section: 'quotes' },
  { title: 'Your own text', Part: TextPart, fields: ['text'], section: 'text' },
  { title: 'Contact and closing', Part: ContactPart, fields: ['contact', 'closing'], section: 'contact' },
  { title: 'Sections of the page', Part: SectionsPart, fields: ['sections'] },
  { title: 'Legal pages', Part: LegalPart, fields: ['legal'] },
  { title: 'Packing slip', Part: SlipPart, fields: ['packing_slip'] },
]

type BookFormProps = Omit<PartProps, 'field'> & { onSection: (section: string) => void }

export function BookForm({ onSection, ...given }: BookFormProps) {
  const field = draftFields(given)
  return parts.map(({ title, Part, fields, section }, index) => (
    <Group
      key={title}
      title={title}
      fields={fields}
      problems={given.problems}
      isOpenAtFirst={index === 0}
      {...(section && { onOpen: () => onSection(section) })}
    >
      <Part {...given} field={field} />
    </Group>
  ))
}
