import type { ComponentType, ReactNode } from 'react'
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
import { TextsPart } from './texts-part.tsx'
import { TitlePart } from './title-part.tsx'
import { BlueprintPart, WordsPart } from './words-part.tsx'

type Part = { title: string; Part: ComponentType<PartProps>; fields: string[]; section?: string }

const parts = {
  title: {
    title: 'Title and description',
    Part: TitlePart,
    fields: ['title', 'product', 'subtitle', 'description', 'language', 'isbns'],
    section: 'title',
  },
  looks: { title: 'Cover and colors', Part: LooksPart, fields: ['cover', 'looks'], section: 'title' },
  author: {
    title: 'Author and invitation',
    Part: AuthorPart,
    fields: ['author', 'invitation'],
    section: 'invitation',
  },
  blueprint: { title: 'Blueprint', Part: BlueprintPart, fields: ['blueprint'], section: 'blueprint' },
  preview: { title: 'Preview', Part: PreviewPart, fields: ['preview'], section: 'preview' },
  words: { title: 'Chapters', Part: WordsPart, fields: ['words', 'words_title'], section: 'words' },
  promises: {
    title: 'Promises and rating',
    Part: PromisesPart,
    fields: ['refund_days', 'rating', 'claims'],
    section: 'book-sales',
  },
  questions: {
    title: 'Questions and answers',
    Part: QuestionsPart,
    fields: ['questions'],
    section: 'questions',
  },
  quotes: { title: 'Quotations', Part: QuotesPart, fields: ['quotes'], section: 'quotes' },
  text: { title: 'Your own text', Part: TextPart, fields: ['text'], section: 'text' },
  contact: {
    title: 'Contact and closing',
    Part: ContactPart,
    fields: ['contact', 'closing'],
    section: 'contact',
  },
  sections: { title: 'Sections of the page', Part: SectionsPart, fields: ['sections'] },
  legal: { title: 'Legal pages', Part: LegalPart, fields: ['legal'] },
  texts: { title: 'Words of pages and emails', Part: TextsPart, fields: ['texts'] },
  slip: { title: 'Packing slip', Part: SlipPart, fields: ['packing_slip'] },
} satisfies Record<string, Part>

export type PartName = keyof typeof parts

const firstOpened: PartName[] = ['title']
const allParts = Object.entries<Part>(parts)

export type ShownParts = {
  only?: readonly PartName[]
  opened?: readonly PartName[]
  /** Shown above the fields of a part. */
  above?: Partial<Record<string, ReactNode>>
}

type BookFormProps = Omit<PartProps, 'field'> & ShownParts & { onSection: (section: string) => void }

export function BookForm({ onSection, only, opened, above, ...given }: BookFormProps) {
  const field = draftFields(given)
  const isIn = (names: readonly string[], name: string) => names.includes(name)
  return allParts
    .filter(([name]) => !only || isIn(only, name))
    .map(([name, { title, Part, fields, section }]) => (
      <Group
        key={title}
        title={title}
        fields={fields}
        problems={given.problems}
        isOpenAtFirst={isIn(opened ?? firstOpened, name)}
        {...(section && { onOpen: () => onSection(section) })}
      >
        {above?.[name]}
        <Part {...given} field={field} />
      </Group>
    ))
}
